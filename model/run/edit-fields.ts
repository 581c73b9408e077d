// `edit`: other fields for a node that has not started (run.md).

import type { EditFields } from '../plan/compiled-schema.js';
import type { Draft } from './draft.js';

/** @returns why not */
export function editFields(_draft: Draft, node: string, _fields: EditFields): string | undefined {
  return `not yet: edit ${node}`;
}
