// Opens the one connection that everything a person does goes through. Knows addresses, deadlines and the codec; no runs.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { done, refused, type Tried } from '../model/errors.js';
import type { Config } from '../model/config.js';
import { stateDir, statePaths, type PathEnv } from '../model/paths.js';
import { createDataConverter, payloadStore, readEncryptionKey } from '../workers/codec/index.js';
import { isLoopback } from '../workers/codec/data-converter.js';
import { grpcCode, messageOf, NOT_FOUND } from './failures.js';
import { devPair, isDevPairAlive, type DevPair } from './dev-pair.js';
import { temporalSettings, type TemporalSettings } from './temporal-config.js';

/** An open connection with its namespace. */
export interface Door {
  client: Client;
  connection: Connection;
  namespace: string;
  address: string;
  /** the server is on this machine */
  local: boolean;
  /** false: a payload over the server's 2 MB cannot be sent */
  hasStore: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions extends PathEnv {
  config?: Pick<Config, 'payloadStore'>;
  /** of a dev pair that has just been started; else from Temporal's settings */
  address?: string;
}

/** A server on this machine answers in milliseconds; another may have TLS and an ocean before it. People wait for neither for long. */
const CONNECT_LOCAL_MS = 3_000;
const CONNECT_REMOTE_MS = 8_000;
/** A dev server that replays a large database takes this long on a busy machine. */
const DEV_START_MS = 30_000;
const DEV_LOOK_MS = 100;
/** A pair that was killed may be started again this moment, and has the lock within this. */
const DEV_BACK_MS = 3_000;

/**
 * Connects by Temporal's own configuration, else to the dev pair (people.md, Configuration).
 * @returns refusal `unreachable` (exit 3) naming the address, `config` for settings that cannot be used
 */
export async function connect(options: ConnectOptions): Promise<Tried<Door>> {
  const settings = temporalSettings(options);
  if (!settings.ok) return settings;
  const key = readEncryptionKey(options.env);
  if (!key.ok) return refused('config', key.reason);
  const opened = await openSoon(options, settings.value);
  if (!opened.ok) return opened;
  const { connection, address } = opened.value;
  const { namespace } = settings.value;
  const payloadDir = payloadDirOf(options, address);
  const dataConverter = createDataConverter({ payloadDir, key: key.key });
  const client = new Client({ connection, namespace, dataConverter });
  return done({
    client,
    connection,
    namespace,
    address,
    local: isLoopback(address),
    hasStore: payloadDir !== undefined,
    close: () => connection.close(),
  });
}

/** The store of large payloads: the shared one of the environment or the config, this machine's own only with a server on this machine. */
export function payloadDirOf(options: ConnectOptions, address: string): string | undefined {
  const local = statePaths(stateDir(options)).payloads;
  const shared = options.config?.payloadStore;
  return payloadStore({ address, env: options.env, local }) ?? (shared?.shared === true ? shared.dir : undefined);
}

/** A dev pair that is just being started, or started again, is waited for; anything else answers at once or not at all. */
async function openSoon(options: ConnectOptions, settings: TemporalSettings): Promise<Tried<{ connection: Connection; address: string }>> {
  const began = Date.now();
  for (;;) {
    const dev = options.address === undefined && settings.source === 'dev' ? devPair(options) : undefined;
    const address = options.address ?? (dev?.state === 'serving' ? dev.address : settings.address);
    const opened = isAbsent(settings, options, dev) ? devAbsent(dev) : await open(settings, address);
    if (opened.ok) return done({ connection: opened.value, address });
    if (settings.source !== 'dev' || Date.now() - began > (isDevPairAlive(options) ? DEV_START_MS : DEV_BACK_MS)) return opened;
    await sleep(DEV_LOOK_MS);
  }
}

/** Its address would be another's, or a guess: nothing is dialled. */
function isAbsent({ source }: TemporalSettings, { address }: ConnectOptions, dev: DevPair | undefined): boolean {
  return address === undefined && source === 'dev' && dev?.state !== 'serving';
}

function devAbsent(dev: DevPair | undefined): Tried<never> {
  const what = dev?.state === 'starting' ? 'is starting and has no address yet' : 'no longer runs';
  return refused('unreachable', `the dev server of this machine ${what}; start it with \`sluice dev\` or \`sluice run\``);
}

async function open(settings: TemporalSettings, address: string): Promise<Tried<Connection>> {
  const connectTimeout = isLoopback(address) ? CONNECT_LOCAL_MS : CONNECT_REMOTE_MS;
  try {
    const connection = await Connection.connect({ ...settings.options, address, connectTimeout });
    return await checkNamespace(connection, settings.namespace);
  } catch (error) {
    return unreachable(settings, address, error);
  }
}

/** A wrong namespace would else show as "no such run" in every later call. Credentials without the right to ask are let through. */
async function checkNamespace(connection: Connection, namespace: string): Promise<Tried<Connection>> {
  try {
    await connection.withDeadline(Date.now() + CONNECT_REMOTE_MS, () => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    if (grpcCode(error) !== NOT_FOUND) return done(connection);
    await connection.close();
    return refused('unreachable', `Temporal has no namespace "${namespace}"; set TEMPORAL_NAMESPACE or create it`, messageOf(error));
  }
  return done(connection);
}

function unreachable(settings: TemporalSettings, address: string, error: unknown): Tried<never> {
  const what = `cannot reach Temporal at ${address}`;
  switch (settings.source) {
    case 'configured':
      return refused('unreachable', `${what}; it is configured by TEMPORAL_ADDRESS, a profile or temporal.toml`, messageOf(error));
    case 'dev':
      return refused(
        'unreachable',
        `${what}, the dev server of this machine; start it with \`sluice dev\` or \`sluice run\``,
        messageOf(error),
      );
    case 'none':
      return refused(
        'unreachable',
        `${what}; nothing is configured: start a server with \`sluice dev\`, or set TEMPORAL_ADDRESS`,
        messageOf(error),
      );
  }
}
