// Starts a process in a session of its own (as setsid does), writes both pids to argv[2] and says `ready`.
// argv[3]: `stay` waits for ever, `exit` exits 0; the escapee keeps the inherited pipes. Its own parent is gone at once, so that
// neither group, session nor parent lead to it.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [file, then] = process.argv.slice(2);
if (then === 'between') {
  const escapee = spawn('sleep', ['300'], { stdio: 'inherit', detached: true });
  appendFileSync(file, `${escapee.pid}\n`);
  process.exit(0);
}
appendFileSync(file, `${process.pid}\n`);
const between = spawn(process.execPath, [process.argv[1], file, 'between'], { stdio: 'inherit', detached: true });
between.on('exit', () => process.stdout.write('ready\n', () => then === 'exit' && process.exit(0)));
if (then === 'stay') setInterval(() => undefined, 60_000);
