// Types of install-test-server.mjs for its tests.

type Env = Record<string, string | undefined>;

export const VERSION: string;

export function testServerFolder(cacheDir: string): string;
export function missingTool(cacheDir: string, env?: Env): Promise<string | undefined>;
export function installTestServer(cacheDir: string, env?: Env): Promise<string>;
