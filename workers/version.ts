// The version of this build, for a worker's identity. From sources and from dist the package file is at different heights.

import { readFileSync } from 'node:fs';

/** `version` of the package file above this file. */
export function packageVersion(): string {
  for (const candidate of ['../package.json', '../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8')) as { version: string }).version;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('no package.json above workers/: the installation is incomplete');
}
