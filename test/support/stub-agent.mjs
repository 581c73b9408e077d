#!/usr/bin/env node
// A scripted agent for what real CLIs cannot be made to do: noise, silence, signals, leftovers, calls that differ.
// It is the `bin` of tests, e.g. `agents: { claude: { bin: …/stub-agent.mjs, args: [--stub=FILE] } }`; it speaks as claude does.
//
// The script is JSON: in the file of `--stub=FILE`, else in STUB_AGENT (JSON, or a file's path), else in `stub-agent.json` beside
// the executable (a link to this file counts as its place), else it reads its prompt, says "ok" and succeeds.
// It is one list of steps, or `{"calls": [steps, …]}`: the n-th call plays the n-th list, later ones the last. Calls are counted in
// `<script>.calls`, one JSON line each: {pid, at, argv, id}. A script with steps of its own in STUB_AGENT counts nothing.
//
// Steps, each an object with one key. Files are relative to the working directory. In text {{call}}, {{prompt}}, {{session}} are
// replaced; the session is that of `--resume`, else a new one.
//   {"init": true}                   claude's first line, with the session
//   {"say": TEXT}                    an assistant line;  {"tool": NAME} a tool call;  {"toolResult": TEXT} what it answered
//   {"ok": TEXT}                     a success result;   {"fail": {FIELDS}} a result with is_error and these fields
//   {"synthetic": {"text", "error"}} the assistant line that claude makes up for an API error
//   {"line": VALUE}                  that JSON, or that string, as a line;  {"raw": TEXT} without a newline;  {"stderr": TEXT}
//   {"big": BYTES}                   a tool-result line of about that size
//   {"readStdin": true}              reads the prompt to the end of stdin (done by the steps that need it too)
//   {"sha256": FILE}                 the prompt's sha256;  {"savePrompt": FILE} the prompt;  {"saveEnv": FILE} the environment, JSON
//   {"write": {"file", "text"}}      or "append": true;  {"exec": [ARGV]} runs a program to its end
//   {"sleep": MS}                    {"waitFor": FILE} until that file exists
//   {"ignore": [SIGNALS]}            {"on": {"signal": S, "steps": [...]}} plays steps at a signal
//   {"background": [ARGV]}           starts a program that shares stdout and outlives this one
//   {"tree": FILE}                   a child and a grandchild that ignore SIGINT and SIGTERM; FILE gets the three pids, a line each
//   {"refuseIf": NAME}               exit 1 with a word on stderr when that variable is set
//   {"kill": SIGNAL}                 itself;  {"exit": CODE}

import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const DEFAULT = [{ readStdin: true }, { init: true }, { say: 'ok' }, { ok: 'ok' }];
const POLL_MS = 20;

const script = findScript();
const call = countCall(script.file);
const session = valueAfter('--resume') ?? randomUUID();
let prompt;

function findScript() {
  const flag = process.argv.find((word) => word.startsWith('--stub='))?.slice('--stub='.length);
  const given = flag ?? process.env.STUB_AGENT;
  if (given?.trimStart().match(/^[[{]/)) return { script: JSON.parse(given) };
  const beside = path.join(path.dirname(process.argv[1]), 'stub-agent.json');
  const file = given ?? (fs.existsSync(beside) ? beside : undefined);
  return file === undefined ? { script: DEFAULT } : { file, script: JSON.parse(fs.readFileSync(file, 'utf8')) };
}

/** This call's number, from 1: the place of its own line in the file, so that calls at once get different ones. */
function countCall(file) {
  if (file === undefined) return 1;
  const mark = { pid: process.pid, at: new Date().toISOString(), argv: process.argv.slice(2), id: randomUUID() };
  fs.appendFileSync(`${file}.calls`, `${JSON.stringify(mark)}\n`);
  const lines = fs.readFileSync(`${file}.calls`, 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(mark.id)) + 1;
}

function valueAfter(flag) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

function stepsOf({ script: given }) {
  const calls = Array.isArray(given) ? [given] : given.calls;
  return calls[Math.min(call, calls.length) - 1];
}

async function readPrompt() {
  if (prompt !== undefined) return prompt;
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  prompt = Buffer.concat(chunks);
  return prompt;
}

async function fill(text) {
  const said = text.includes('{{prompt}}') ? (await readPrompt()).toString('utf8') : '';
  return text.replace(/\{\{(call|prompt|session)\}\}/g, (_all, name) => ({ call: String(call), prompt: said, session })[name]);
}

/** Written to the end before the next step: a script that kills itself has said what it said. */
function out(text, fd = 1) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(fd, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error; // a full pipe: its reader is slower than we are
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function line(value) {
  out(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
}

function assistant(content, more = {}) {
  line({ type: 'assistant', message: { role: 'assistant', model: 'stub', content, ...more.message }, session_id: session, ...more.line });
}

function result(fields) {
  line({
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    session_id: session,
    total_cost_usd: 0.01,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 3 },
    ...fields,
  });
}

function toolResult(content) {
  line({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    session_id: session,
  });
}

const STEPS = {
  init: () => line({ type: 'system', subtype: 'init', session_id: session, model: 'stub', tools: [] }),
  say: async (text) => assistant([{ type: 'text', text: await fill(text) }]),
  tool: (name) => assistant([{ type: 'tool_use', id: 'toolu_1', name, input: {} }]),
  toolResult: async (text) => toolResult(await fill(text)),
  synthetic: ({ text, error }) => assistant([{ type: 'text', text }], { message: { model: '<synthetic>' }, line: { error } }),
  ok: async (text) => result({ result: await fill(text) }),
  fail: (fields) => result({ is_error: true, ...fields }),
  line: async (value) => line(typeof value === 'string' ? await fill(value) : value),
  raw: async (text) => out(await fill(text)),
  stderr: async (text) => out(`${await fill(text)}\n`, 2),
  big: (bytes) => toolResult('x'.repeat(bytes)),
  readStdin: async () => void (await readPrompt()),
  sha256: async (file) =>
    fs.writeFileSync(
      file,
      createHash('sha256')
        .update(await readPrompt())
        .digest('hex'),
    ),
  savePrompt: async (file) => fs.writeFileSync(file, await readPrompt()),
  saveEnv: (file) => fs.writeFileSync(file, JSON.stringify(process.env)),
  write: async ({ file, text, append }) => (append ? fs.appendFileSync : fs.writeFileSync)(file, await fill(text)),
  exec: ([bin, ...args]) => {
    const done = spawnSync(bin, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (done.error) throw done.error;
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  waitFor: async (file) => {
    while (!fs.existsSync(file)) await STEPS.sleep(POLL_MS);
  },
  ignore: (signals) => signals.forEach((signal) => process.on(signal, () => {})),
  on: ({ signal, steps }) => void process.on(signal, () => void play(steps)),
  background: ([bin, ...args]) => spawn(bin, args, { stdio: ['ignore', 'inherit', 'inherit'] }).unref(),
  tree: (file) => growTree(file),
  refuseIf: (name) => {
    if (process.env[name] === undefined) return;
    out(`cannot be launched inside another session (${name} is set)\n`, 2);
    process.exit(1);
  },
  kill: async (signal) => {
    process.kill(process.pid, signal);
    await STEPS.sleep(60_000); // the signal ends it; a handled one may do otherwise
  },
  exit: (code) => process.exit(code),
};

/** Child and grandchild keep this process's group, as a shell's children do; steps go on when all three pids are written. */
async function growTree(file) {
  const stubborn = [
    `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});`,
    `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');`,
    'setInterval(() => {}, 1e6);',
  ].join('\n');
  const spawning = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' });`;
  STEPS.ignore(['SIGINT', 'SIGTERM']);
  fs.writeFileSync(file, `${process.pid}\n`);
  spawn(process.execPath, ['-e', `${spawning}\n${stubborn}`], { stdio: 'inherit' });
  while (fs.readFileSync(file, 'utf8').trim().split('\n').length < 3) await STEPS.sleep(POLL_MS);
}

async function play(steps) {
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    if (!(name in STEPS)) throw new Error(`stub-agent: no step "${name}"`);
    await STEPS[name](value);
  }
}

await play(stepsOf(script));
process.exit(0);
