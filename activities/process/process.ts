// The interface between a dispatch and whoever starts its process. `guard-client.ts` implements it for workers.

/** What to start. No shell ever: `argv[0]` is looked up on `env.PATH`. */
export interface SpawnSpec {
  /** `<run>/<dispatch id>`: the key of the local record */
  key: string;
  run: string;
  dispatch: string;
  attempt: number;
  argv: string[];
  cwd: string;
  /** the whole environment of the child; nothing is inherited */
  env: Record<string, string>;
  /** how it is asked to stop, also when its worker is gone */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** 'ignore' closes stdin at once; text is written and stdin closed; 'open' stays open for `write` */
  stdin: 'ignore' | { text: string } | 'open';
}

export interface ChildExit {
  /** null when a signal ended it */
  code: number | null;
  signal: string | null;
  /** processes of its group that outlived it, ended by the guard */
  leftovers: number;
}

/** A handler that returns a promise holds back further output of its own child until it settles, and nobody else's. */
export interface ChildHandlers {
  stdout(chunk: Buffer): void | Promise<void>;
  stderr(chunk: Buffer): void | Promise<void>;
}

export interface Child {
  pid: number;
  /**
   * Resolves once when the CHILD has exited (not when its pipes close), after everything it wrote before its exit was handed to
   * the handlers and what it left behind in its group was ended. Rejects only if the guard died: code `GUARD_DIED`.
   */
  exited: Promise<ChildExit>;
  write(text: string): void;
  closeStdin(): void;
  /** the adapter's polite signal, to the whole group */
  stop(): void;
  /** SIGKILL to the whole tree, including descendants that left the group */
  kill(): void;
  /** kept in the local record: survives the worker */
  note(progress: { session?: string; spoke?: boolean }): void;
}

/** Starting failed: `code` is the system's (ENOENT, EACCES, E2BIG, ENOTDIR…), or GUARD_DIED when the guard ended meanwhile. */
export interface SpawnFailure {
  code: string;
  message: string;
  /** with ENOENT and ENOTDIR: what is not there */
  missing?: 'program' | 'directory';
}

/** The local record of a dispatch, `dispatches/<run>/<id>.json` in the state folder. */
export interface LocalRecord {
  run: string;
  dispatch: string;
  attempt: number;
  /** the guard that owns the tree */
  owner: { pid: number; start: string };
  pid: number;
  /** start time of `pid` as the system tells it, so that a reused pid is never touched */
  start: string;
  startedAt: string;
  session?: string;
  spoke: boolean;
  /** when its tree was ended because its worker or guard was gone; the record stays for the next attempt */
  ended?: string;
  /** value of SLUICE_DISPATCH_KEY in the tree's environment, by which processes are found that left its group */
  marker?: string;
}

export interface Processes {
  spawn(spec: SpawnSpec, handlers: ChildHandlers): Promise<Child | SpawnFailure>;
  /** the local record of a dispatch that ran or runs on this host, if there is one */
  record(run: string, dispatch: string): Promise<LocalRecord | undefined>;
  /** ends the guard and every tree; resolves when all are gone */
  close(): Promise<void>;
}
