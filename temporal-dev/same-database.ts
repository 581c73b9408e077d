// Finds servers of ours on one database file by their command lines: for the moment between the start of a server and the record of
// its pid, in which its owner may be killed. Ends nothing.

import { readdir, readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { identify, type ProcessIdentity } from './process-identity.js';
import { serverArgs } from './server-args.js';

/** Arguments that only a server of ours on this file has, in this order; ports differ from start to start. */
function mark(dbFile: string): string[] {
  const args = serverArgs({ ip: '', port: 0, uiPort: 0, dbFile, searchAttributes: {} });
  return args.slice(args.indexOf('--db-filename'));
}

async function pidsOnLinux(dbFile: string): Promise<number[]> {
  const wanted = `\0${mark(dbFile).join('\0')}\0`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const ours = async (pid: string): Promise<boolean> => {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // gone, or not ours to read
    return args.includes('\0start-dev\0') && args.includes(wanted);
  };
  const found = await Promise.all(pids.map(async (pid) => ((await ours(pid)) ? Number(pid) : 0)));
  return found.filter((pid) => pid > 0);
}

async function pidsByPs(dbFile: string): Promise<number[]> {
  const { stdout } = await execa('ps', ['-axww', '-o', 'pid=,args=']);
  const lines = stdout.split('\n').filter((line) => line.includes(' start-dev ') && line.includes(mark(dbFile).join(' ')));
  return lines.map((line) => Number.parseInt(line, 10));
}

/**
 * @param dbFile absolute, as it was given to `startDevServer`
 * @returns the servers that were started by `startDevServer` on this file and still run
 */
export async function serversOn(dbFile: string): Promise<ProcessIdentity[]> {
  const pids = process.platform === 'linux' ? await pidsOnLinux(dbFile) : await pidsByPs(dbFile);
  const identities = await Promise.all(pids.map(identify));
  return identities.filter((identity) => identity !== undefined);
}
