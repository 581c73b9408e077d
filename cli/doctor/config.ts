// `sluice doctor --config`: each setting with its value and where it comes from (people.md, Configuration).

import { EXIT } from '../../model/errors.js';
import { DEFAULT_SETTINGS } from '../../model/settings.js';
import { temporalSettings } from '../../client/temporal-config.js';
import type { Io } from '../io.js';
import { refuse } from '../refuse.js';
import { table } from '../render/table.js';
import { readSettings, type Settings } from '../settings.js';

interface Value {
  name: string;
  value: unknown;
  from: string;
}

export async function showSettings(io: Io): Promise<number> {
  const settings = await readSettings(io);
  if (!settings.ok) return refuse(io, settings.refusal);
  const values = [...places(settings.value), ...temporal(settings.value), ...configured(settings.value), ...ofRuns(settings.value)];
  if (io.json) io.out(JSON.stringify({ settings: values }, null, 2));
  else
    for (const line of table(
      values.map(({ name, value, from }) => [name, text(value), from]),
      { columns: io.columns },
    ))
      io.out(line);
  return EXIT.ok;
}

function places({ project, stateDir, fleet, where, config }: Settings): Value[] {
  const given = (name: string): string => (where.env[name] ? name : 'default');
  const fleetFrom = where.env.SLUICE_FLEET ? 'SLUICE_FLEET' : config.fleet === undefined ? 'default' : 'config';
  return [
    { name: 'project', value: `${project.id} at ${project.dir}`, from: 'where the command was called' },
    { name: 'state folder', value: stateDir, from: where.env.SLUICE_STATE_DIR ? 'SLUICE_STATE_DIR' : given('XDG_STATE_HOME') },
    { name: 'fleet', value: fleet, from: fleetFrom },
  ];
}

/** Temporal's own settings are Temporal's; shown, never repeated. */
function temporal({ where }: Settings): Value[] {
  const settings = temporalSettings(where);
  if (!settings.ok) return [{ name: 'temporal', value: settings.refusal.message, from: 'temporal.toml' }];
  const { address, namespace, source } = settings.value;
  const from = { configured: 'TEMPORAL_* or temporal.toml', dev: 'the dev server of this machine', none: 'default' }[source];
  return [
    { name: 'temporal.address', value: address, from },
    { name: 'temporal.namespace', value: namespace, from },
  ];
}

/** Secrets are named, never shown. */
function configured({ config, origins }: Settings): Value[] {
  return Object.entries(origins)
    .filter(([path]) => !path.startsWith('settings.'))
    .map(([path, from]) => ({ name: path, value: path.startsWith('secrets') ? '(hidden)' : valueAt(config, path), from }));
}

function ofRuns({ run, origins }: Settings): Value[] {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof typeof DEFAULT_SETTINGS)[];
  return names.map((name) => ({ name: `settings.${name}`, value: run[name], from: origins[`settings.${name}`] ?? 'default' }));
}

function valueAt(config: object, path: string): unknown {
  const keys = path.match(/[^.[\]"]+/g) ?? [];
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
