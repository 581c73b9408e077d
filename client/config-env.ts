// The configuration that SLUICE_* variables carry. Temporal's own variables are read by its own library.

import { DEFAULT_SETTINGS } from '../model/settings.js';

/** Variables with a field of the config each. */
const FIELDS: Readonly<Record<string, readonly [string] | readonly [string, string]>> = {
  SLUICE_PROJECT: ['project'],
  SLUICE_ME: ['me'],
  SLUICE_AGENT: ['defaults', 'agent'],
  SLUICE_MODEL: ['defaults', 'model'],
};

/** `quietMs` is SLUICE_QUIET_MS. */
export function settingVariable(setting: string): string {
  return `SLUICE_${setting.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The layer of the environment; empty variables set nothing. A number is read as one, anything else is left to be warned about. */
export function envLayer(env: Readonly<Record<string, string | undefined>>): {
  from: (path: string) => string;
  values: Record<string, unknown>;
} {
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  for (const [name, [top, inner]] of Object.entries(FIELDS)) {
    const text = env[name];
    if (text === undefined || text === '') continue;
    names[inner === undefined ? top : `${top}.${inner}`] = name;
    values[top] = inner === undefined ? text : { ...(values[top] as object | undefined), [inner]: text };
  }
  const settings = Object.keys(DEFAULT_SETTINGS).flatMap((setting) => {
    const text = env[settingVariable(setting)]?.trim() ?? '';
    if (text === '') return [];
    names[`settings.${setting}`] = settingVariable(setting);
    return [[setting, Number.isNaN(Number(text)) ? text : Number(text)] as const];
  });
  if (settings.length > 0) values.settings = Object.fromEntries(settings);
  return { from: (path) => names[path] ?? 'the environment', values };
}
