// Reads stdin to its end, then prints the number of bytes and their sha256.
import { createHash } from 'node:crypto';

const hash = createHash('sha256');
let bytes = 0;
for await (const chunk of process.stdin) {
  hash.update(chunk);
  bytes += chunk.length;
}
process.stdout.write(`${bytes} ${hash.digest('hex')}\n`);
