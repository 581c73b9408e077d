// "Did you mean" for plans: spelling habits of other tools on top of plain edit distance. Knows nothing of what the words name.

import { nearest } from '../agent/nearest.js';

/** What people of other tools write for a field of ours. */
const HABITS: Readonly<Record<string, string>> = {
  deps: 'needs',
  depends: 'needs',
  dependson: 'needs',
  after: 'needs',
  command: 'run',
  cmd: 'run',
  script: 'run',
};

/** Case, dashes and underscores are not slips: `max_turns` is `maxTurns`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}

/** The hint of a problem, or nothing to spread into it. */
export function didYouMean(word: string, known: Iterable<string>): { hint?: string } {
  const names = new Map<string, string>();
  for (const name of known) names.set(plain(name), name);
  const wanted = plain(word);
  const habit = names.get(HABITS[wanted] ?? wanted);
  // of one or two letters any other is one slip away: that is no guess
  const close = wanted.length > 2 ? nearest(wanted, [...names.keys()]) : undefined;
  const meant = habit ?? (close === undefined ? undefined : names.get(close));
  return meant === undefined ? {} : { hint: `did you mean \`${meant}\`?` };
}
