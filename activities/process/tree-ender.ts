// Ends process trees for good: kills, looks again, and answers only when nothing of the tree is left.
// Trees that are ended at the same time share one look at the process table. Never touches a pid whose start time differs.

import { isSame, type ProcessEntry } from './identity.js';
import { listProcesses, markerOf } from './process-table.js';
import { membersOf, type TreeRoot } from './tree.js';

/** Between two looks: long enough for the system to carry out a SIGKILL, short against the 500 ms that the guard has left for it. */
const LOOK_AGAIN_MS = 15;
/** A process that SIGKILL has not ended by then hangs in the kernel (a dead disk); waiting on would hold the dispatch for ever. */
const GIVE_UP_MS = 10_000;

interface Ending {
  root: TreeRoot;
  until: number;
  /** every process that was found and signalled, by pid and start */
  killed: Set<string>;
  resolve: (killed: number) => void;
}

export class TreeEnder {
  readonly #log: (line: string) => void;
  #endings: Ending[] = [];
  #looking = false;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /**
   * SIGKILL to everything of the tree, until nothing is left.
   * @returns how many processes were found and killed
   */
  end(root: TreeRoot): Promise<number> {
    return new Promise((resolve) => {
      this.#endings.push({ root, until: Date.now() + GIVE_UP_MS, killed: new Set(), resolve });
      // at the end of this turn of the loop, so that all who ask in one turn share the look
      if (!this.#looking) setImmediate(() => this.#look());
      this.#looking = true;
    });
  }

  #look(): void {
    const table = listProcesses();
    const marks = this.#endings.some(({ root }) => root.scope === 'tree' && root.marker !== '');
    const marked = marks ? byMarker(table) : new Map<string, ProcessEntry[]>();
    this.#endings = this.#endings.filter((ending) => !this.#step(ending, membersOf(ending.root, table, marked)));
    this.#looking = this.#endings.length > 0;
    if (this.#looking) setTimeout(() => this.#look(), LOOK_AGAIN_MS);
  }

  /** @returns true when this tree is through */
  #step(ending: Ending, members: ProcessEntry[]): boolean {
    if (members.length === 0) {
      ending.resolve(ending.killed.size);
      return true;
    }
    if (Date.now() > ending.until) {
      this.#log(`processes ${members.map(({ pid }) => pid).join(', ')} do not end after SIGKILL; they hang in the kernel`);
      ending.resolve(ending.killed.size);
      return true;
    }
    // the group in one stroke first: a member that forks meanwhile cannot get away
    if (members.some(({ group }) => group === ending.root.pid)) this.#kill(-ending.root.pid);
    for (const { pid, start } of members) {
      ending.killed.add(`${pid} ${start}`);
      if (isSame(pid, start)) this.#kill(pid);
    }
    return false;
  }

  #kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: it ended between the look and the signal. EPERM (it became another user's) is a fact to tell.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ESRCH') this.#log(`cannot end process ${pid}: ${code}`);
    }
  }
}

function byMarker(table: readonly ProcessEntry[]): Map<string, ProcessEntry[]> {
  const marked = new Map<string, ProcessEntry[]>();
  for (const entry of table) {
    const marker = entry.zombie ? undefined : markerOf(entry.pid);
    if (marker === undefined) continue;
    const found = marked.get(marker);
    if (found) found.push(entry);
    else marked.set(marker, [entry]);
  }
  return marked;
}
