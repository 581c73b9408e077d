// Whether the namespace knows Sluice's search attributes. They are an index only: nothing rests on them (operations.md, Temporal Cloud).

import type { Door } from './connect.js';

export const SEARCH_ATTRIBUTES = ['SluiceState', 'SluiceWaiting', 'SluicePlan'] as const;

/** A look that is not answered in this time is a no: the run starts all the same. */
const PROBE_MS = 3_000;

/** True when all of them are registered. Upserting an unknown one would wedge a run, so any doubt is a no. */
export async function knowsSearchAttributes(door: Door): Promise<boolean> {
  try {
    const { customAttributes } = await door.connection.withDeadline(Date.now() + PROBE_MS, () =>
      door.connection.operatorService.listSearchAttributes({ namespace: door.namespace }),
    );
    return SEARCH_ATTRIBUTES.every((name) => Object.hasOwn(customAttributes ?? {}, name));
  } catch {
    // Servers may not let a client ask (Temporal Cloud has another door for it): without an index, `list` reads memos.
    return false;
  }
}
