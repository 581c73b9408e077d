// Signed gates: what is signed, and what the check at home makes of the command that waited for it (run.md, Signals and commands).

import { resumeEnvelope } from './commands.js';
import type { Draft } from './draft.js';
import type { VerifyAnswer } from './inputs.js';

export function takeVerified(draft: Draft, key: string, answer: VerifyAnswer): void {
  resumeEnvelope(draft, key, () => (answer.valid ? undefined : answer.reason));
}
