// The envelope: the one form in which every fact of a run leaves the program (run.md, Events).
// snake_case, because these documents are read by others.

import { z } from 'zod';

/** Every kind of fact, the closed list of run.md. */
export const EVENT_KINDS = [
  'run-started',
  'node-ready',
  'node-dispatched',
  'dispatch-deferred',
  'dispatch-refused',
  'dispatch-started',
  'node-settled',
  'decision-pending',
  'decision-cleared',
  'surface-raised',
  'surface-answered',
  'edit-committed',
  'edit-rejected',
  'human-attested',
  'completion-requested',
  'quiet-worker',
  'note-delivered',
  'body-not-drafted',
  'criterion-checked',
  'vcs',
  'landing-changed',
  'panel',
  'ticket-moved',
  'poll-attempt',
  'upstream-moved',
  'undone',
  'run-settled',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A payload's text is at most this many bytes of UTF-8; longer goes to an artifact named by id. */
export const MAX_TEXT_BYTES = 4096;

export const Envelope = z.strictObject({
  v: z.literal(1),
  /** workflow time, RFC 3339 with milliseconds, UTC */
  ts: z.string(),
  /** the run id */
  stream: z.string(),
  /** from 1, without gaps */
  seq: z.int().positive(),
  source: z.string(),
  kind: z.enum(EVENT_KINDS),
  labels: z.looseObject({ run_id: z.string(), node: z.string().optional(), step: z.string().optional(), persona: z.string().optional() }),
  payload: z.record(z.string(), z.json()),
  artifacts: z.array(z.string()),
});
export type Envelope = z.infer<typeof Envelope>;
