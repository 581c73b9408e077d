// Which Temporal this machine is told to use: Temporal's own settings first, else the dev pair's address file.
// Reads files and the environment; opens no connection (connect.ts does).

import { existsSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { done, refused, type Tried } from '../model/errors.js';
import type { PathEnv } from '../model/paths.js';
import { devPair } from './dev-pair.js';
import { messageOf } from './failures.js';

type ConnectionOptions = ReturnType<typeof loadClientConnectConfig>['connectionOptions'];

export interface TemporalSettings {
  /** `configured`: a person named a Temporal; `dev`: the embedded pair or `sluice dev` is or was here; `none`: neither */
  source: 'configured' | 'dev' | 'none';
  /** host:port; of a dev pair what it left last, which may be out of date */
  address: string;
  namespace: string;
  options: ConnectionOptions;
}

/** The SDK's own default, named here so that it can be shown. */
const DEFAULT_ADDRESS = 'localhost:7233';

/** True when a person configured a Temporal: then no server of our own is ever started (people.md, `sluice run`). */
export function isConfigured({ env, home }: PathEnv): boolean {
  if (env.TEMPORAL_ADDRESS || env.TEMPORAL_PROFILE || env.TEMPORAL_CONFIG_FILE) return true;
  return existsSync(defaultConfigFile({ env, home }));
}

/**
 * Reads the settings without connecting.
 * @returns refusal `config` when Temporal's profile or file cannot be used
 */
export function temporalSettings(where: PathEnv): Tried<TemporalSettings> {
  let loaded: ReturnType<typeof loadClientConnectConfig>;
  try {
    loaded = loadClientConnectConfig({ overrideEnvVars: defined({ HOME: where.home, ...where.env }) });
  } catch (error) {
    return refused('config', `Temporal's configuration cannot be read: ${messageOf(error)}; see TEMPORAL_PROFILE and temporal.toml`);
  }
  const { connectionOptions, namespace = 'default' } = loaded;
  if (isConfigured(where)) {
    const address = connectionOptions.address ?? DEFAULT_ADDRESS;
    return done({ source: 'configured', address, namespace, options: { ...connectionOptions, address } });
  }
  const dev = devPair(where);
  const address = dev !== undefined && 'address' in dev ? dev.address : DEFAULT_ADDRESS;
  return done({ source: dev === undefined ? 'none' : 'dev', address, namespace, options: { ...connectionOptions, address } });
}

/** Where Temporal's own tools keep their profiles on Linux and macOS. */
function defaultConfigFile({ env, home }: PathEnv): string {
  const mac = process.platform === 'darwin';
  const dir = mac ? `${home}/Library/Application Support` : env.XDG_CONFIG_HOME || `${home}/.config`;
  return `${dir}/temporalio/temporal.toml`;
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
