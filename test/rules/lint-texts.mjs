// Lints texts given on standard input as JSON [{path, text}], each as if it were the file `path`, in one process: reading the types
// is what takes the time. Prints the messages of each as JSON. A process of its own, since jest's module loader is not Node's.

import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const eslint = new ESLint();
const reports = [];
for (const given of JSON.parse(await text(process.stdin))) {
  const [report] = await eslint.lintText(given.text, { filePath: given.path });
  reports.push(report.messages.map(({ line, ruleId, message }) => ({ line, ruleId, message })));
}
console.log(JSON.stringify(reports));
