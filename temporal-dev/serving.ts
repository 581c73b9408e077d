// Whether a server answers, and what is set on it once it does. Speaks to Temporal by its client; starts nothing.

import { connect } from 'node:net';
import { Connection } from '@temporalio/client';
import { poll } from './poll.js';
import type { SearchAttributeType } from './server-args.js';

type UpdateNamespace = Parameters<Connection['workflowService']['updateNamespace']>[0];
type Seconds = NonNullable<NonNullable<NonNullable<UpdateNamespace['config']>['workflowExecutionRetentionTtl']>['seconds']>;

/** A server on this machine answers within milliseconds; while its database opens it may take seconds. */
const CALL_TIMEOUT_MS = 5_000;

const DAY_S = 86_400;

/** A bare TCP handshake: cheap enough to ask many times a second, where a gRPC channel would back off for seconds. */
async function accepts(address: string): Promise<boolean> {
  const at = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)), timeout: CALL_TIMEOUT_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false)) // refused: that is the answer
      .once('timeout', () => end(false));
  });
}

async function withConnection<T>(address: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: CALL_TIMEOUT_MS });
  try {
    return await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => use(connection));
  } finally {
    await connection.close();
  }
}

/**
 * Whether a Temporal server with this namespace answers.
 * @param address host:port
 */
export async function answers(address: string, namespace = 'default'): Promise<boolean> {
  if (!(await accepts(address))) return false;
  try {
    await withConnection(address, (connection) => connection.workflowService.describeNamespace({ namespace }));
    return true;
  } catch {
    return false; // whatever the fault is: not serving; whoever waits for it knows how long to
  }
}

/** Keeps ended runs for `days`; start-dev's own is one day, too short to look back at a run of last week. */
export async function setRetention(address: string, days: number, namespace = 'default'): Promise<void> {
  // protobuf takes a plain number where its types ask for a Long
  const seconds = (days * DAY_S) as unknown as Seconds;
  const config = { workflowExecutionRetentionTtl: { seconds } };
  await withConnection(address, (connection) => connection.workflowService.updateNamespace({ namespace, config }));
}

/** The server's own numbers for the types of search attributes. */
const INDEXED_VALUE_TYPE: Readonly<Record<SearchAttributeType, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

/** A new attribute is known after the server's next look at its own tables, which takes it some hundred ms. */
const KNOWN_TIMEOUT_MS = 15_000;

/**
 * Registers what the server does not know yet. start-dev does so by flag, but only when it makes its database: an older one
 * would lack what a newer version of the caller needs.
 */
export async function addSearchAttributes(
  address: string,
  wanted: Readonly<Record<string, SearchAttributeType>>,
  namespace = 'default',
): Promise<void> {
  const missing = async (): Promise<[string, number][]> => {
    const { customAttributes } = await withConnection(address, ({ operatorService }) =>
      operatorService.listSearchAttributes({ namespace }),
    );
    const absent = Object.entries(wanted).filter(([name]) => !Object.hasOwn(customAttributes ?? {}, name));
    return absent.map(([name, type]) => [name, INDEXED_VALUE_TYPE[type]]);
  };
  const absent = await missing();
  if (absent.length === 0) return;
  const searchAttributes = Object.fromEntries(absent);
  await withConnection(address, ({ operatorService }) => operatorService.addSearchAttributes({ namespace, searchAttributes }));
  const known = await poll(async () => (await missing()).length === 0, { timeoutMs: KNOWN_TIMEOUT_MS, everyMs: 100 });
  if (!known)
    throw new Error(`the dev server at ${address} does not take the search attributes ${Object.keys(searchAttributes).join(', ')}`);
}
