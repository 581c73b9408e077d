// Flags, environment and defaults of a worker: flags are refused, variables fall back and say so.

import { describe, expect, it } from '@jest/globals';
import { readWorkerConfig, type WorkerFlags } from '../../workers/config.js';

const read = (flags: WorkerFlags, env: Record<string, string> = {}) => readWorkerConfig(flags, { env, home: '/home/u' }, 8);

function config(flags: WorkerFlags, env: Record<string, string> = {}) {
  const reading = read(flags, env);
  if (!reading.ok) throw new Error(reading.refusal.message);
  return reading.value;
}

describe('a worker without flags or variables', () => {
  it('has the defaults of operations.md', () => {
    expect(config({})).toEqual({
      warnings: [],
      config: {
        fleet: 'sluice',
        stateDir: '/home/u/.local/state/sluice',
        roles: { workflows: true, home: true, executors: {} },
        slots: { agents: 4, programs: 8 },
        graceMs: 25_000,
        projects: {},
      },
    });
  });
});

describe('flags', () => {
  it('win over variables', () => {
    const { config: got, warnings } = config(
      { fleet: 'night', agents: 2, programs: 0, workflows: false, executor: ['gpu=2', 'mac'], metrics: '9464' },
      { SLUICE_FLEET: 'day', SLUICE_AGENT_SLOTS: '9', SLUICE_PROGRAM_SLOTS: '9' },
    );
    expect(warnings).toEqual([]);
    expect(got).toMatchObject({
      fleet: 'night',
      slots: { agents: 2, programs: 0 },
      roles: { workflows: false, executors: { gpu: 2, mac: 1 } },
      metrics: { host: '127.0.0.1', port: 9464 },
    });
  });

  it.each<[string, WorkerFlags]>([
    ['--agents', { agents: -1 }],
    ['--agents', { agents: 1.5 }],
    ['--programs', { programs: Number.NaN }],
    ['--programs', { programs: 1_001 }],
    ['--fleet', { fleet: 'a/b' }],
    ['--executor', { executor: ['gpu=0'] }],
    ['--executor', { executor: ['gpu=x'] }],
    ['--executor', { executor: ['gpu=1=2'] }],
    ['--executor', { executor: ['=2'] }],
    ['--executor', { executor: ['__proto__=2'] }],
    ['twice', { executor: ['gpu=1', 'gpu=2'] }],
    ['--metrics', { metrics: 'nowhere' }],
    ['--metrics', { metrics: '127.0.0.1:99999' }],
  ])('that cannot be used are refused, naming %s: %j', (named, flags) => {
    const reading = read(flags);
    expect(reading).toMatchObject({ ok: false, refusal: { code: 'usage', message: expect.stringContaining(named) } });
  });
});

describe('variables', () => {
  it('are taken where they are usable', () => {
    const { config: got } = config(
      {},
      { SLUICE_FLEET: 'day', SLUICE_AGENT_SLOTS: '1', SLUICE_SHUTDOWN_GRACE: '3', SLUICE_STATE_DIR: '/s' },
    );
    expect(got).toMatchObject({ fleet: 'day', slots: { agents: 1, programs: 8 }, graceMs: 3_000, stateDir: '/s' });
  });

  it.each([
    ['SLUICE_AGENT_SLOTS', 'many'],
    ['SLUICE_AGENT_SLOTS', '-1'],
    ['SLUICE_PROGRAM_SLOTS', '2.5'],
    ['SLUICE_SHUTDOWN_GRACE', 'NaN'],
    ['SLUICE_FLEET', 'no fleet'],
    ['SLUICE_PROJECTS', 'relative=dir'],
  ])('fall back when they are not, with a warning: %s=%s', (name, value) => {
    const { config: got, warnings } = config({}, { [name]: value });
    expect(warnings).toEqual([expect.stringContaining(name)]);
    expect(got).toEqual(config({}).config);
  });
});
