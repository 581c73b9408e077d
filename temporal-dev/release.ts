// The CLI's own release download: one request tells where the archive is, a second brings it. The same service and the same
// questions as @temporalio/testing's. Knows nothing of the cache; leaves the binary in the folder it is given.

import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { execa } from 'execa';
import { z } from 'zod';
import { reasonOf } from './reason.js';
import type { OnProgress } from './progress.js';

export const RELEASE_URL = 'https://temporal.download';

/** A host that does not answer within this is taken as unreachable: longer than any handshake, short enough to wait for. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A download that brings no byte for this long is given up: the other source is likely faster by then. */
const STALL_TIMEOUT_MS = 30_000;

/** The answer of the download service; `fileToExtract` is a path inside the archive. */
const DownloadInfo = z.object({
  archiveUrl: z.url(),
  fileToExtract: z.string().refine((path) => !isAbsolute(path) && !path.split(/[\\/]/).includes('..'), 'a path inside the archive'),
});

export interface SourceOptions {
  /** an empty folder to work in */
  dir: string;
  env: Readonly<Record<string, string | undefined>>;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

export type Fetched = { binary: string } | { failed: string };

/** Aborts when `touch` was not called for a while; `stop` ends the watch. */
function watchdog(ms: number, what: string) {
  const controller = new AbortController();
  const expire = () => controller.abort(new Error(what));
  let timer = setTimeout(expire, ms);
  return {
    signal: controller.signal,
    touch(): void {
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

async function get(url: string, signal: AbortSignal | undefined, stall: AbortSignal): Promise<Response> {
  const connect = watchdog(CONNECT_TIMEOUT_MS, `no answer within ${CONNECT_TIMEOUT_MS / 1000} s`);
  try {
    const signals = [connect.signal, stall, ...(signal ? [signal] : [])];
    const response = await fetch(url, { signal: AbortSignal.any(signals) });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return response;
  } finally {
    connect.stop();
  }
}

function infoUrl(base: string): string {
  const url = new URL('/cli/default', base);
  url.searchParams.set('arch', process.arch === 'x64' ? 'amd64' : process.arch);
  url.searchParams.set('platform', process.platform === 'win32' ? 'windows' : process.platform);
  url.searchParams.set('format', 'tar.gz'); // `tar` is on every system we run on
  url.searchParams.set('sdk-name', 'sdk-typescript');
  // the service chooses the CLI that fits this SDK
  const { version } = createRequire(import.meta.url)('@temporalio/client/package.json') as { version: string };
  url.searchParams.set('sdk-version', version);
  return url.href;
}

async function download(url: string, file: string, options: SourceOptions): Promise<void> {
  const stall = watchdog(STALL_TIMEOUT_MS, `no data for ${STALL_TIMEOUT_MS / 1000} s`);
  try {
    const response = await get(url, options.signal, stall.signal);
    if (!response.body) throw new Error(`${url} answered without a body`);
    const total = Number(response.headers.get('content-length')) || undefined;
    let received = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        stall.touch();
        received += chunk.length;
        options.onProgress?.({ phase: 'release', received, ...(total ? { total } : {}) });
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(file));
  } finally {
    stall.stop();
  }
}

/**
 * Fetches the CLI of the SDK's own version.
 * @param base the download service, `RELEASE_URL` outside of tests
 * @returns the binary's path inside `options.dir`, or why it could not be had
 */
export async function fetchRelease(base: string, options: SourceOptions): Promise<Fetched> {
  try {
    const answer = await get(infoUrl(base), options.signal, new AbortController().signal);
    const info = DownloadInfo.parse(await answer.json());
    const archive = join(options.dir, 'archive.tar.gz');
    await download(info.archiveUrl, archive, options);
    options.onProgress?.({ phase: 'unpack' });
    // tar reads the gzip checksum to the end: a cut archive fails here
    await execa('tar', ['-xzf', archive, '-C', options.dir, info.fileToExtract], { cancelSignal: options.signal });
    return { binary: join(options.dir, info.fileToExtract) };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}
