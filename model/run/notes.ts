// Words that ride exactly one dispatch of a node (run.md, Notes). Live delivery is asked for here and carried out by the host.

import type { CommandOf } from '../messages.js';
import { editNode, nodeAt, specAt, type Draft } from './draft.js';
import type { Note } from './state.js';

/** Puts a note in line for the node's next dispatch. */
export function addNote(draft: Draft, i: number, note: Note): void {
  editNode(draft, i).notes = [...(nodeAt(draft, i).notes ?? []), note];
}

/** The prompt with the notes that ride it, in order. */
export function withNotes(prompt: string, notes: readonly Note[] | undefined): string {
  return [prompt, ...(notes ?? []).map((note) => note.text)].join('\n\n');
}

/** `context`: a note for a node. */
export function takeContext(draft: Draft, i: number, command: CommandOf<'context'>, id: string): string | undefined {
  if (command.deliver === 'live') return `not yet: live notes (${specAt(draft, i).id})`;
  addNote(draft, i, { id, text: command.note });
  return undefined;
}
