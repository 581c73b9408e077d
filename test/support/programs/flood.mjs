// Writes argv[2] MiB of zero-padded lines to stdout as fast as they are taken, then exits 0.
const block = Buffer.alloc(64 * 1024, 'a'.repeat(1023) + '\n');
let left = Number(process.argv[2]) * 16;
function more() {
  while (left-- > 0) if (!process.stdout.write(block)) return void process.stdout.once('drain', more);
  process.stdout.end();
}
more();
