// Surfaces: what is raised to people. A blocking one holds the node it is about, if that has not started, and everything below it.

import { below } from './graph.js';
import { closeDecision, openDecision } from './decisions.js';
import { editNode, list, nodeAt, type Draft } from './draft.js';
import { emit, iso } from './emit.js';
import { dequeue, isEnd, type OnReady } from './frontier.js';
import { addNote } from './notes.js';
import type { Note, SurfaceState } from './state.js';
import type { SurfaceView } from './views.js';

interface Raise {
  kind: string;
  message: string;
  source: string;
  /** index of the node it is about */
  node?: number;
  blocking?: boolean;
}

/** Raises a surface and returns its id (from 1). */
export function raiseSurface(draft: Draft, raise: Raise): number {
  const { kind, message, source, node, blocking = false } = raise;
  const id = (draft.state.surfaces.at(-1)?.id ?? 0) + 1;
  list(draft, 'surfaces').push({ id, kind, message, source, blocking, queuedAt: draft.now, ...(node === undefined ? {} : { node }) });
  emit(draft, 'surface-raised', node, { id, kind, message, source, blocking });
  if (blocking && node !== undefined) {
    for (const i of heldNodes(draft, node)) hold(draft, i);
    openDecision(draft, `surface:${id}`, 'surface', node);
  }
  return id;
}

/** Answers and clears a surface. @returns why not, when it cannot be answered */
export function answerSurface(draft: Draft, id: number, text: string, by: string | undefined, onReady: OnReady): string | undefined {
  const at = draft.state.surfaces.findIndex((surface) => surface.id === id);
  const surface = draft.state.surfaces[at];
  if (!surface) return `there is no surface ${id}`;
  if (surface.answeredAt !== undefined) return `surface ${id} has been answered`;
  list(draft, 'surfaces')[at] = { ...surface, answer: text, answeredAt: draft.now };
  emit(draft, 'surface-answered', surface.node, { id, text, by });
  if (surface.node !== undefined) deliver(draft, surface.node, { id: `surface:${id}`, text });
  if (surface.blocking && surface.node !== undefined) {
    for (const i of heldNodes(draft, surface.node)) release(draft, i, onReady);
    closeDecision(draft, `surface:${id}`);
  }
  return undefined;
}

// the reply reaches the raiser with its next dispatch
function deliver(draft: Draft, i: number, note: Note): void {
  if (!isEnd(nodeAt(draft, i))) addNote(draft, i, note);
}

// counted on every node below, started or not, so that raising and answering always undo each other
function heldNodes(draft: Draft, node: number): number[] {
  return [node, ...below(draft.graph, node, () => false)];
}

function hold(draft: Draft, i: number): void {
  editNode(draft, i).held += 1;
  if (nodeAt(draft, i).status === 'ready') dequeue(draft, i);
}

function release(draft: Draft, i: number, onReady: OnReady): void {
  const node = editNode(draft, i);
  node.held -= 1;
  if (node.held === 0 && node.status === 'pending' && node.unmet === 0 && !node.dead) onReady(draft, i);
}

/** The document of `sluice surfaces`. */
export function surfaceView(surface: SurfaceState, idOf: (node: number) => string): SurfaceView {
  const { id, kind, message, source, blocking, queuedAt, node, answer } = surface;
  return {
    id,
    kind,
    message,
    source,
    blocking,
    queued_at: iso(queuedAt),
    ...(node === undefined ? {} : { workstream: idOf(node) }),
    ...(answer === undefined ? {} : { answer }),
  };
}
