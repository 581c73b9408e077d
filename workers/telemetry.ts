// One HTTP endpoint for those who watch workers: `/metrics` for Prometheus and `/healthz`. Off unless asked for by `--metrics`.
// The SDK's exporter answers `/metrics` alone, so it listens on a port of its own on loopback and this passes its answer on.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { done, refused, type Tried } from '../model/errors.js';

export interface MetricsAddress {
  host: string;
  /** 0: any free one */
  port: number;
}

export interface Telemetry {
  /** where the SDK's exporter listens, `127.0.0.1:PORT`: goes into the runtime's options */
  exporter: string;
  /** where this endpoint listens, `http://HOST:PORT` */
  url: string;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** An exporter on the same machine answers in milliseconds; a scrape is not worth holding a socket for longer. */
const SCRAPE_MS = 5_000;

/** Reads `HOST:PORT`, `[::1]:PORT` or `PORT`; without a host it is loopback, since metrics tell what runs where. */
export function readMetricsAddress(given: string): Tried<MetricsAddress> {
  const match = /^(?:(?<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):)?(?<port>\d{1,5})$/.exec(given);
  const port = Number(match?.groups?.port);
  if (!match || port > 65_535) return refused('usage', `--metrics ${given}: give HOST:PORT or PORT, e.g. 127.0.0.1:9464`);
  return done({ host: match.groups?.host?.replace(/^\[|\]$/g, '') ?? LOOPBACK, port });
}

/**
 * Starts the endpoint.
 * @param healthy asked at each `/healthz`: 200 while it is true, else 503
 * @throws what listening throws, e.g. EADDRINUSE
 */
export async function startTelemetry(address: MetricsAddress, healthy: () => boolean): Promise<Telemetry> {
  const exporter = `${LOOPBACK}:${await freePort()}`;
  const server = createServer((request, response) => {
    answer(request, response, exporter, healthy).catch(() => {
      // the exporter is not up yet, or gone: the scraper shall try again
      response.writeHead(503).end('metrics are not ready\n');
    });
  });
  await listen(server, address);
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { exporter, url: `http://${host}:${port}`, close: () => close(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, exporter: string, healthy: () => boolean): Promise<void> {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET') response.writeHead(405).end();
  else if (path === '/healthz') response.writeHead(healthy() ? 200 : 503).end(healthy() ? 'ok\n' : 'not polling\n');
  else if (path === '/metrics') {
    const scraped = await fetch(`http://${exporter}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) });
    const body = await scraped.text();
    response.writeHead(scraped.status, { 'content-type': scraped.headers.get('content-type') ?? 'text/plain' }).end(body);
  } else response.writeHead(404).end();
}

/** The SDK needs a number to bind. Another program could take it in between; then the runtime says so at its start. */
async function freePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, LOOPBACK, resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

async function listen(server: Server, { host, port }: MetricsAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
