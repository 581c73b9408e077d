// Reads a run's journal: the rotated files first, then the current file. Only reads; the appender is an activity.

import { readdir, readFile } from 'node:fs/promises';
import { Envelope } from '../model/event.js';
import { runPaths } from '../model/paths.js';

export interface JournalRead {
  /** in order of `seq`, each once */
  events: Envelope[];
  /** lines that could not be read: a torn end, a damaged line */
  unreadable: { file: string; line: number }[];
  /** neither file exists */
  absent: boolean;
}

export interface JournalOptions {
  /** only events with a higher `seq` */
  after?: number;
}

/**
 * Reads what can be read; an unreadable line is skipped and counted (run.md, Events; case O-38).
 * @throws Node's own error when a file is there and cannot be read
 */
export async function readJournal(project: string, run: string, options: JournalOptions = {}): Promise<JournalRead> {
  const read: JournalRead = { events: [], unreadable: [], absent: true };
  let last = options.after ?? 0;
  for (const file of await filesOf(project, run)) {
    const text = await textOf(file);
    if (text === undefined) continue;
    read.absent = false;
    for (const [index, line] of text.split('\n').entries()) {
      if (line === '') continue;
      const event = parseLine(line);
      if (event === undefined) read.unreadable.push({ file, line: index + 1 });
      else if (event.seq > last) {
        read.events.push(event);
        last = event.seq;
      }
    }
  }
  return read;
}

/** Oldest first: rotation moves `.1` to `.2` and so on, so that nothing is lost. */
async function filesOf(project: string, run: string): Promise<string[]> {
  const { dir, events } = runPaths(project, run);
  const names = await namesIn(dir);
  const rotated = names.flatMap((name) => (/^events\.ndjson\.[0-9]+$/.test(name) ? [Number(name.slice('events.ndjson.'.length))] : []));
  return [...rotated.sort((a, b) => b - a).map((n) => `${events}.${n}`), events];
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    // a run that wrote nothing here has no folder
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Reads all of it or nothing, for accounting: a missing record must never count as zero (case O-38).
 * @throws when a line is unreadable, a number is missing or there is no journal, naming the file and line
 */
export async function readJournalStrictly(project: string, run: string): Promise<Envelope[]> {
  const read = await readJournal(project, run);
  const where = runPaths(project, run).events;
  if (read.absent) throw new Error(`no journal at ${where}: what run ${run} did cannot be told from here`);
  const bad = read.unreadable[0];
  if (bad !== undefined) throw new Error(`${bad.file}:${bad.line}: unreadable record; the journal of run ${run} cannot be counted on`);
  const gap = read.events.findIndex((event, index) => event.seq !== index + 1);
  if (gap >= 0) throw new Error(`${where}: event ${gap + 1} is missing; the journal of run ${run} cannot be counted on`);
  return read.events;
}

/** One sentence about what was skipped, or undefined. */
export function unreadableNote(read: JournalRead): string | undefined {
  const [first] = read.unreadable;
  if (first === undefined) return undefined;
  const count = read.unreadable.length;
  return `${count} unreadable ${count === 1 ? 'record' : 'records'} skipped, the first at ${first.file}:${first.line}`;
}

function parseLine(line: string): Envelope | undefined {
  try {
    return Envelope.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON: the caller counts it and says where it is.
    return undefined;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
