// Brings Temporal's time-skipping test server into the user's cache, with Maven, for `npm run test:time`: pinned, and each jar compared
// with test-server.sha256. `--lock` writes that list anew after VERSION was raised. Must not touch the project otherwise.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** Of the Java SDK, which the server is part of; raise it together with the list of jars. */
export const VERSION = '1.38.0';

// pinned too: what lays the jars down is not left to Maven's own default, which is another in each of its releases
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const LIST = fileURLToPath(new URL('test-server.sha256', import.meta.url));

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sluice</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The list in the format of sha256sum. */
function listOf(folder) {
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  return jars.sort().map((name) => `${sha256(readFileSync(path.join(folder, name)))}  ${name}\n`);
}

/** Lines that are in one of the two lists and not in the other, said as a person would look for them. */
function difference(found, expected) {
  const missing = expected.filter((line) => !found.includes(line)).map((line) => `expected ${line.trim()}`);
  return [...missing, ...found.filter((line) => !expected.includes(line)).map((line) => `found ${line.trim()}`)];
}

const expectedList = () =>
  readFileSync(LIST, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`);

/** `<cache>/test-server/<version>`, below the user's cache folder. */
export function testServerFolder(cacheDir) {
  return path.join(cacheDir, 'test-server', VERSION);
}

/** What is needed and not here, as one sentence; undefined when nothing is missing. Jars that are here already need no Maven. */
export async function missingTool(cacheDir, env = process.env) {
  const absent = async (command, argument) => (await execa(command, [argument], { env, extendEnv: false, reject: false })).exitCode !== 0;
  if (await absent('java', '-version')) return 'java is not installed (Debian: default-jre-headless)';
  if (!existsSync(testServerFolder(cacheDir)) && (await absent('mvn', '-version'))) return 'mvn is not installed (Debian: maven)';
  return undefined;
}

/** Lays the jars into `folder`. Maven knows where its repositories are: settings.xml, mirrors and all. */
async function download(folder, env) {
  const pom = path.join(folder, 'pom.xml');
  writeFileSync(pom, POM);
  const options = ['-DincludeScope=runtime', `-DoutputDirectory=${folder}`, '-Dmdep.prependGroupId=true'];
  // --strict-checksums: Maven itself would only warn. 10 min: some 40 MB, and Maven's own plugins, come over the network.
  await execa('mvn', ['-B', '-q', '--strict-checksums', '-f', pom, `${PLUGIN}:copy-dependencies`, ...options], {
    env,
    extendEnv: false,
    timeout: 600_000,
    all: true,
  });
  rmSync(pom);
}

/** Ends what a killed predecessor left: folders named after a process that is gone. */
function sweep(parent) {
  for (const name of readdirSync(parent)) {
    const pid = Number(/\.part-(\d+)$/.exec(name)?.[1]);
    if (pid && !existsSync(`/proc/${pid}`) && existsSync('/proc/self')) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

/** Another process may have been first: then its folder stands, and holds the same. */
function moveIntoPlace(aside, folder) {
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

/**
 * Installs the server unless it is there, whole. Built aside and moved into place, so that one broken off is never taken for a whole one.
 * @returns the folder of jars
 * @throws when Maven cannot bring them, or brings others than the list names
 */
export async function installTestServer(cacheDir, env = process.env) {
  const folder = testServerFolder(cacheDir);
  const expected = expectedList();
  if (existsSync(folder)) {
    if (difference(listOf(folder), expected).length === 0) return folder;
    rmSync(folder, { recursive: true, force: true });
  }
  const aside = `${folder}.part-${process.pid}`;
  mkdirSync(aside, { recursive: true });
  sweep(path.dirname(folder));
  try {
    await download(aside, env);
    const wrong = difference(listOf(aside), expected);
    if (wrong.length > 0) throw new Error(`the test server ${VERSION} is not what test-server.sha256 lists:\n${wrong.join('\n')}`);
    moveIntoPlace(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

async function writeList(cacheDir) {
  const aside = path.join(cacheDir, 'test-server', `list.part-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  try {
    await download(aside, process.env);
    writeFileSync(LIST, listOf(aside).join(''));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // as model/paths.ts has it, which this script must not need a build for
  const cacheDir = process.env.SLUICE_CACHE_DIR || path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'sluice');
  if (process.argv.includes('--lock')) await writeList(cacheDir);
  const missing = await missingTool(cacheDir);
  console.log(missing === undefined ? `test server: ${await installTestServer(cacheDir)}` : `test server: not installed: ${missing}`);
}
