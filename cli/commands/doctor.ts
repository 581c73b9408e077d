// `sluice doctor`: checks this machine and says what to do. 1 when something keeps runs from working.

import { EXIT } from '../../model/errors.js';
import { showSettings } from '../doctor/config.js';
import { checkAgents, checkDisk, checkGit, checkNode } from '../doctor/machine.js';
import { fail, ok, type Finding } from '../doctor/finding.js';
import { checkTemporal } from '../doctor/temporal.js';
import type { Io } from '../io.js';
import { paint, type Colour } from '../render/colour.js';
import { oneLine } from '../render/plain.js';
import { readSettings, type Settings } from '../settings.js';

const LOOK: Record<Finding['verdict'], { mark: string; colour: Colour }> = {
  ok: { mark: 'ok  ', colour: 'green' },
  warn: { mark: 'warn', colour: 'yellow' },
  fail: { mark: 'FAIL', colour: 'red' },
};

export async function run({ config }: { config?: boolean }, io: Io): Promise<number> {
  if (config === true) return showSettings(io);
  const settings = await readSettings({ ...io, quiet: true });
  const findings = settings.ok
    ? await checkAll(io, settings.value)
    : [
        checkNode(),
        await checkGit(io),
        fail('config', settings.refusal.message, 'mend it; `sluice doctor --config` shows where each value comes from'),
      ];
  const bad = findings.some(({ verdict }) => verdict === 'fail');
  if (io.json) io.out(JSON.stringify({ ok: !bad, findings }, null, 2));
  else for (const finding of findings) show(io, finding);
  return bad ? EXIT.incomplete : EXIT.ok;
}

async function checkAll(io: Io, settings: Settings): Promise<Finding[]> {
  const [git, agents, temporal, project, state] = await Promise.all([
    checkGit(io),
    checkAgents(io, settings),
    checkTemporal(io, settings),
    checkDisk('project', settings.project.dir),
    checkDisk('state', settings.stateDir),
  ]);
  return [
    checkNode(),
    git,
    ok('config', `project ${settings.project.id} at ${settings.project.dir}`),
    ...agents,
    ...temporal,
    project,
    state,
  ];
}

function show(io: Io, { what, verdict, detail, advice }: Finding): void {
  if (io.quiet && verdict === 'ok') return;
  const { mark, colour } = LOOK[verdict];
  io.out(`${paint(io.colour, colour, mark)}  ${what}: ${oneLine(detail)}`);
  if (advice !== undefined) io.out(`      ${advice}`);
}
