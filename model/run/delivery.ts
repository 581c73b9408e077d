// What came of carrying a note into a running turn: the command that waited for it goes on (run.md, Notes).

import { resumeEnvelope } from './commands.js';
import type { Draft } from './draft.js';
import type { DeliveryAnswer } from './inputs.js';

export function takeDelivered(draft: Draft, key: string, answer: DeliveryAnswer): void {
  resumeEnvelope(draft, key, () => (answer.delivered ? undefined : answer.reason));
}
