// Facts become envelopes here, numbered without gaps (run.md, Events).

import { MAX_TEXT_BYTES, type Envelope, type EventKind } from '../event.js';
import type { JsonValue } from '../json.js';
import { cutText } from '../text.js';
import { list, specAt, type Draft } from './draft.js';

/** ISO time with milliseconds, UTC. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

type Payload = Record<string, JsonValue | undefined>;

/** Adds one fact. Absent values are left out; texts are cut to 4 KiB and marked. `node` is an index. */
export function emit(draft: Draft, kind: EventKind, node: number | undefined, payload: Payload = {}, artifacts: string[] = []): void {
  const { state } = draft;
  state.seq += 1;
  const event: Envelope = {
    v: 1,
    ts: iso(draft.now),
    stream: state.input.run,
    seq: state.seq,
    source: 'run',
    kind,
    labels: labelsOf(draft, node),
    payload: bounded(payload),
    artifacts,
  };
  draft.events.push(event);
  list(draft, 'recent').push(event);
}

function labelsOf(draft: Draft, node: number | undefined): Envelope['labels'] {
  const labels: Envelope['labels'] = { run_id: draft.state.input.run };
  if (node === undefined) return labels;
  const spec = specAt(draft, node);
  labels.node = spec.id;
  if (spec.persona !== undefined) labels.persona = spec.persona;
  if (Object.keys(spec.labels).length > 0) labels.extra = spec.labels;
  return labels;
}

function bounded(payload: Payload): Record<string, JsonValue> {
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(payload)) {
    if (value !== undefined) kept[key] = typeof value === 'string' ? cutText(value, MAX_TEXT_BYTES) : value;
  }
  return kept;
}
