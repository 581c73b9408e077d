// Every export here becomes a workflow type: workflow functions only.

export { run } from './run.js';
