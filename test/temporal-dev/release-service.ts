// A download service on this machine that answers like the CLI's own, for what cannot be had from the real one: slow, cut and
// hostile downloads. The "CLI" it serves is a script that tells a version.

import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { freshFolder } from './place.js';

export interface ReleaseService {
  url: string;
  /** archives asked for so far */
  downloads(): number;
  /** how the next archives are sent; `stuck` sends half and then nothing, `cut` closes after half */
  mode: 'whole' | 'stuck' | 'cut';
  /** what it says about itself; set to try odd answers */
  info: { archiveUrl: string; fileToExtract: string };
  /** query of the last question */
  asked: URLSearchParams;
  close(): Promise<void>;
}

async function makeArchive(): Promise<Buffer> {
  const dir = freshFolder();
  // random padding, so that the packed archive has a length that can be cut
  const padding = randomBytes(300_000).toString('base64');
  writeFileSync(join(dir, 'temporal'), `#!/bin/sh\necho 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)'\nexit 0\n# ${padding}\n`);
  chmodSync(join(dir, 'temporal'), 0o755);
  await execa('tar', ['-czf', 'archive.tar.gz', 'temporal'], { cwd: dir });
  return readFileSync(join(dir, 'archive.tar.gz'));
}

function send(response: ServerResponse, archive: Buffer, mode: ReleaseService['mode']): void {
  response.writeHead(200, { 'content-length': archive.length });
  if (mode === 'whole') return void response.end(archive);
  response.write(archive.subarray(0, archive.length / 2), () => mode === 'cut' && response.destroy());
}

export async function releaseService(): Promise<ReleaseService> {
  const archive = await makeArchive();
  let downloads = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', service.url);
    if (url.pathname === '/archive.tar.gz') {
      downloads++;
      return send(response, archive, service.mode);
    }
    service.asked = url.searchParams;
    response.end(JSON.stringify(service.info));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: ReleaseService = {
    url,
    downloads: () => downloads,
    mode: 'whole',
    info: { archiveUrl: `${url}/archive.tar.gz`, fileToExtract: 'temporal' },
    asked: new URLSearchParams(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}
