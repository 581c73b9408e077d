// The activity `readLog`: a piece of a log on the host that has it. Reads nothing outside a run's `logs/`.

import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { LogChunk, ReadLogInput } from './contract.js';
import type { ActivityDeps } from './deps.js';
import { codeOf } from './failures.js';
import { runFolder } from './run-folder.js';

/** A page of a log, well below the 2 MB of a payload (agents.md, Processes). */
export const MAX_CHUNK_BYTES = 262_144;
/** The longest character: a smaller piece might never hold a whole one. */
const MIN_CHUNK_BYTES = 4;

/** Makes the activity. @returns in `offset` where to go on from */
export function logReader(deps: ActivityDeps): (input: ReadLogInput) => Promise<LogChunk> {
  return async ({ run, project, name, offset, limit }) => {
    const { host } = deps;
    const folder = await runFolder(deps, project, run);
    if (!folder.ok) return { found: false, host, path: project.dir, code: folder.code };
    const path = `${folder.paths.logs}/${name}`;
    if (!isPlainName(name)) return { found: false, host, path, code: 'EINVAL' };
    try {
      // no link is followed: what it leads to is no log of ours
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        return {
          found: true,
          host,
          ...(await readChunk(file, Math.max(0, offset), Math.min(Math.max(MIN_CHUNK_BYTES, limit), MAX_CHUNK_BYTES))),
        };
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      return { found: false, host, path, code };
    }
  };
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

async function readChunk(file: FileHandle, offset: number, limit: number): Promise<{ text: string; offset: number; size: number }> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.max(0, Math.min(limit, size - offset)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  const whole = wholeCharacters(buffer.subarray(0, bytesRead));
  return { text: whole.toString('utf8'), offset: offset + whole.length, size };
}

/** Without a last character that is only begun; unless there is nothing else, or a reader would never get past it. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    // the bytes that follow a first one begin with the bits 10
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back && bytes.length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
