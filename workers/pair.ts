// The pair of a dev server and workers, one per user: the door for commands. Only re-exports.

export { ensureEmbedded } from './pair/ensure.js';
export { readDevInfo, type DevInfo } from './pair/dev-info.js';
export type { PairOptions } from './pair/options.js';
export { runPair } from './pair/run-pair.js';
export { stopPair, type StopReport } from './pair/stop.js';
