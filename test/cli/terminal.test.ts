// What a person sees on a terminal: the live view, Ctrl-C, and questions for what is missing.
// A real pseudo-terminal, by util-linux's script.

import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLI, Place } from '../support/place.js';
import { until } from '../support/until.js';

const PLAN = `version: 1
name: live
nodes:
  a: { run: "true" }
  ok: { human: { ask: Take it?, choices: [take, leave] }, needs: [a] }
`;

/** Of util-linux, which every Linux has; it passes the exit code on. */
const SCRIPT = 'script';

let place: Place;
let open: Terminal[] = [];
beforeAll(async () => {
  place = await Place.open();
  await place.write('live.yaml', PLAN);
  await place.worker();
}, 120_000);
afterAll(async () => {
  for (const terminal of open) terminal.child.kill('SIGKILL');
  open = [];
  await place.close();
});

interface Terminal {
  child: ResultPromise<{ reject: false; all: true; stdin: 'pipe' }>;
  /** all that was shown so far, cursor movements and all */
  shown(): string;
  type(keys: string): void;
}

/** Runs the CLI on a terminal of 80 columns. */
function terminal(...args: string[]): Terminal {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const child = execa(SCRIPT, ['-qefc', `stty cols 80 rows 24; ${command}`, '/dev/null'], {
    cwd: place.project,
    env: { ...place.env, TERM: 'xterm' },
    extendEnv: false,
    reject: false,
    all: true,
    stdin: 'pipe',
  });
  let text = '';
  child.all.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const made: Terminal = { child, shown: () => text, type: (keys) => void child.stdin.write(keys) };
  open.push(made);
  return made;
}

/** Waits until `text` is on the screen; what was there instead is in the error. */
async function sees(one: Terminal, text: string): Promise<void> {
  await until(() => one.shown().includes(text)).catch(() => {
    throw new Error(`"${text}" was never shown; the last was:\n${one.shown().slice(-1_500)}`);
  });
}

describe('sluice run on a terminal', () => {
  it('shows the nodes live, what waits and the command, and ends by itself when the run does', async () => {
    const screen = terminal('run', 'live.yaml', '--id', 'seen-tty');
    await sees(screen, 'waits for you: Take it?');
    expect(screen.shown()).toContain('sluice attest seen-tty ok --choice take|leave');
    expect((await place.cli('attest', 'seen-tty', 'ok', '--choice', 'take')).code).toBe(0);
    expect((await screen.child).exitCode).toBe(0);
    expect(screen.shown()).toMatch(/run seen-tty: .*complete/);
  });

  it('asks at the first Ctrl-C; Enter leaves, and the run goes on', async () => {
    const screen = terminal('run', 'live.yaml', '--id', 'left-tty');
    await sees(screen, 'waits for you');
    await sees(screen, 'Ctrl-C to leave or cancel');
    screen.type('\u0003');
    await sees(screen, 'Leave and let the run go on (Enter)');
    screen.type('\r');
    expect((await screen.child).exitCode).toBe(130);
    expect(screen.shown()).toContain('run left-tty goes on');
    expect((await place.status('left-tty')).state).toBe('waiting');
    await place.cli('cancel', 'left-tty');
  });

  it('cancels at the second Ctrl-C and shows the end', async () => {
    const screen = terminal('run', 'live.yaml', '--id', 'cancelled-tty');
    await sees(screen, 'waits for you');
    await sees(screen, 'Ctrl-C to leave or cancel');
    screen.type('\u0003');
    await sees(screen, 'Leave and let the run go on (Enter)');
    screen.type('\u0003');
    expect((await screen.child).exitCode).toBe(1);
    expect(screen.shown()).toMatch(/run cancelled-tty: .*cancelled/);
    expect((await place.status('cancelled-tty')).state).toBe('cancelled');
  });
});

describe('a missing argument on a terminal', () => {
  it('is asked for, with what there is to choose from', async () => {
    await place.cli('run', 'live.yaml', '--detach', '--id', 'asked-tty');
    await place.untilWaiting('asked-tty');
    const screen = terminal('attest', 'asked-tty');
    await sees(screen, 'NODE of run asked-tty (ok)');
    screen.type('ok\r');
    await sees(screen, 'Choice (take, leave)');
    screen.type('leave\r');
    expect((await screen.child).exitCode).toBe(0);
    expect(screen.shown()).toContain('ok attested (leave)');
    expect((await place.wait('asked-tty')).code).toBe(0);
  });
});
