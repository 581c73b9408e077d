// The built product, as a user has it: the bench measures dist/, never sources.

import { existsSync } from 'node:fs';

/** Loads a module of dist/; says what to do when there is none. */
export async function built(path) {
  const url = new URL(`../dist/${path}`, import.meta.url);
  if (!existsSync(url)) throw new Error(`${url.pathname} is missing: run npm run build first`);
  return import(url.href);
}
