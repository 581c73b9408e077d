// Paths of a plan stay in the project, as far as their text tells; symlinks are the client's to look at.

import type { Problem } from './problem.js';
import type { Outline } from './outline.js';
import type { FileSite } from './sites.js';
import { fileSites, isCloneUrl } from './sites.js';

export function checkFiles(plan: Outline): Problem[] {
  return fileSites(plan).flatMap(({ path, value, what }) => {
    const message = what === 'repo' && isCloneUrl(value) ? undefined : whyOutside(value, what);
    return message === undefined ? [] : [{ path, message }];
  });
}

function whyOutside(value: string, what: FileSite['what']): string | undefined {
  if (value.includes('\0')) return 'a path cannot hold a zero byte';
  const base = what === 'outputFile' ? 'the folder of the program' : 'the project';
  if (value.startsWith('/')) return `\`${value}\` is absolute; it is relative to ${base}`;
  return normalDir(value) === undefined ? `\`${value}\` leaves ${base}` : undefined;
}

/** `./a//b/` is `a/b`, the project itself is `.`; undefined when it leads out through `..`. */
export function normalDir(dir: string): string | undefined {
  const parts: string[] = [];
  for (const part of dir.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? '.' : parts.join('/');
}
