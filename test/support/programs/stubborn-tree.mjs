// Three generations that ignore SIGINT and SIGTERM. Each writes its pid as a line to the file named in argv[2], then says `ready`.
// argv[3] is how many generations are still to come, itself included.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [file, generations = '3'] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => appendFileSync(`${file}.signals`, `${signal}\n`));
appendFileSync(file, `${process.pid}\n`);
if (Number(generations) > 1) spawn(process.execPath, [process.argv[1], file, String(Number(generations) - 1)], { stdio: 'inherit' });
else process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
