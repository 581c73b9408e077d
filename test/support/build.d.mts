// Types of build.mjs, for tests in TypeScript.

export const ROOT: string;
export const BUNDLE: string;
export function ensureBuilt(): Promise<void>;
