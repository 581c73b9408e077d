// Where Sluice keeps things, as pure functions of an environment. Nothing here touches a disk.

export interface PathEnv {
  env: Readonly<Record<string, string | undefined>>;
  /** the user's home folder, absolute */
  home: string;
}

/** The user's state folder: `SLUICE_STATE_DIR`, else `$XDG_STATE_HOME/sluice`, else `~/.local/state/sluice`. */
export function stateDir({ env, home }: PathEnv): string {
  return env.SLUICE_STATE_DIR || `${env.XDG_STATE_HOME || `${home}/.local/state`}/sluice`;
}

/** Downloads: `SLUICE_CACHE_DIR`, else `$XDG_CACHE_HOME/sluice`, else `~/.cache/sluice`. */
export function cacheDir({ env, home }: PathEnv): string {
  return env.SLUICE_CACHE_DIR || `${env.XDG_CACHE_HOME || `${home}/.cache`}/sluice`;
}

/** The user's configuration: `SLUICE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/sluice`, else `~/.config/sluice`. */
export function configDir({ env, home }: PathEnv): string {
  return env.SLUICE_CONFIG_DIR || `${env.XDG_CONFIG_HOME || `${home}/.config`}/sluice`;
}

/** Files of the state folder. */
export function statePaths(state: string) {
  return {
    hostId: `${state}/host-id`,
    dev: `${state}/dev`,
    devInfo: `${state}/dev/dev.json`,
    devLog: `${state}/dev/dev.log`,
    devDatabase: `${state}/dev/temporal.db`,
    devLock: `${state}/dev/lock`,
    dispatches: `${state}/dispatches`,
    payloads: `${state}/payloads`,
    /** prompts and inputs of the dispatches that run just now */
    scratch: `${state}/scratch`,
  };
}

/** Files of one run on its home host, below the project's `.sluice/`. */
export function runPaths(project: string, run: string) {
  const dir = `${project}/.sluice/runs/${run}`;
  return {
    dir,
    /** rotated ones stand beside it: `.1` is the newest of them */
    events: `${dir}/events.ndjson`,
    logs: `${dir}/logs`,
    artifacts: `${dir}/artifacts`,
    result: `${dir}/result.json`,
    state: `${dir}/state.json`,
    plan: `${dir}/plan.json`,
  };
}
