// The endpoint for those who watch workers.

import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { readMetricsAddress, startTelemetry } from '../../workers/telemetry.js';

describe('--metrics', () => {
  it.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
  ])('%s', (given, value) => {
    expect(readMetricsAddress(given)).toEqual({ ok: true, value });
  });

  it.each(['', ':', 'a:b', 'http://x:1', '1:2:3', '-1', '127.0.0.1'])('%j is refused', (given) => {
    expect(readMetricsAddress(given).ok).toBe(false);
  });
});

describe('the endpoint', () => {
  it('tells health, passes metrics on, and refuses the rest', async () => {
    let healthy = false;
    const telemetry = await startTelemetry({ host: '127.0.0.1', port: 0 }, () => healthy);
    const status = async (path: string, method = 'GET') => (await fetch(`${telemetry.url}${path}`, { method })).status;
    try {
      expect(await status('/healthz')).toBe(503);
      healthy = true;
      expect(await status('/healthz')).toBe(200);
      expect(await status('/')).toBe(404);
      expect(await status('/healthz', 'POST')).toBe(405);
      expect(await status('/metrics')).toBe(503);
      const exporter = createServer((_request, response) => response.end('a 1\n'));
      const [host, port] = telemetry.exporter.split(':');
      await new Promise<void>((resolve) => exporter.listen(Number(port), host, resolve));
      expect(await (await fetch(`${telemetry.url}/metrics`)).text()).toBe('a 1\n');
      exporter.closeAllConnections();
      await new Promise((resolve) => exporter.close(resolve));
    } finally {
      await telemetry.close();
    }
    await expect(fetch(telemetry.url)).rejects.toThrow();
  });

  it('says when its port is taken', async () => {
    const telemetry = await startTelemetry({ host: '127.0.0.1', port: 0 }, () => true);
    try {
      const port = Number(new URL(telemetry.url).port);
      await expect(startTelemetry({ host: '127.0.0.1', port }, () => true)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    } finally {
      await telemetry.close();
    }
  });
});
