// Starts `sleep 300` in its own group with inherited pipes, writes the sleeper's pid to argv[2], prints 300 numbered lines and exits 0.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const sleeper = spawn('sleep', ['300'], { stdio: 'inherit' });
writeFileSync(process.argv[2], `${sleeper.pid}\n`);
const text = Array.from({ length: 300 }, (_, n) => `line ${n + 1} ${'x'.repeat(60)}\n`).join('');
process.stdout.write(text, () => process.exit(0));
