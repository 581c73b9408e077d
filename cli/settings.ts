// The project, configuration and paths of one call, put together once. Reads files; opens no connection.

import type { Config } from '../model/config.js';
import { done, type Tried } from '../model/errors.js';
import { isId } from '../model/ids.js';
import { stateDir, type PathEnv } from '../model/paths.js';
import type { ProjectRef } from '../model/run/input.js';
import type { RunSettings } from '../model/settings.js';
import { loadConfig } from '../client/config.js';
import { openProject } from '../client/project.js';
import type { Io } from './io.js';

export interface Settings {
  project: ProjectRef;
  config: Config;
  /** `config.settings` with defaults for what is absent or unusable */
  run: RunSettings;
  /** path of each configured value to the file or variable it is from */
  origins: Record<string, string>;
  where: PathEnv;
  stateDir: string;
  /** name of the workers that share queues: SLUICE_FLEET, else the config's `fleet`, else `sluice` */
  fleet: string;
}

const DEFAULT_FLEET = 'sluice';

/**
 * Reads what a call needs to know; warnings about unusable values go to stderr.
 * @param at a plan file, or a folder; default where the command was called
 */
export async function readSettings(io: Io, at: string = io.cwd): Promise<Tried<Settings>> {
  const where: PathEnv = { env: io.env, home: io.home };
  const project = await openProject(at, io.env);
  if (!project.ok) return project;
  const loaded = await loadConfig(project.value.dir, io.env, io.home);
  if (!loaded.ok) return loaded;
  const { config, settings: run, origins, warnings } = loaded.value;
  if (!io.quiet) for (const warning of warnings) io.err(`sluice: warning: ${warning}`);
  return done({ project: project.value, config, run, origins, where, stateDir: stateDir(where), fleet: fleetOf(io, config) });
}

function fleetOf(io: Io, config: Config): string {
  const given = io.env.SLUICE_FLEET?.trim();
  const fallback = config.fleet ?? DEFAULT_FLEET;
  if (given === undefined || given === '') return fallback;
  if (isId(given)) return given;
  io.err(`sluice: warning: SLUICE_FLEET=${given} is not a name, using ${fallback}`);
  return fallback;
}
