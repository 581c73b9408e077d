// Commands about this machine: servers, workers, health, the shell.

import type { CommandSpec } from '../command-spec.js';

export const machineCommands: CommandSpec[] = [
  {
    name: 'dev',
    text: 'a dev server and a worker in the foreground',
    options: [
      { flags: '--port <port>', text: 'port of the server, default 7233', count: true },
      { flags: '--ephemeral', text: 'keep the database in memory' },
      { flags: '--embedded', text: 'started by another command', hidden: true },
    ],
    lasts: true,
    load: () => import('../commands/dev.js'),
  },
  {
    name: 'worker',
    text: 'a worker in the foreground',
    options: [
      { flags: '--executor <name=n>', text: 'serve an executor with so many slots; may be given more than once', many: true },
      { flags: '--no-workflows', text: 'run no workflows, only dispatches' },
      { flags: '--agents <n>', text: 'agents at once, default 4', count: true },
      { flags: '--programs <n>', text: 'programs at once, default the number of cores', count: true },
      { flags: '--fleet <name>', text: 'name of the workers that share queues, default sluice' },
      { flags: '--metrics <host:port>', text: 'serve Prometheus metrics there' },
    ],
    lasts: true,
    load: () => import('../commands/worker.js'),
  },
  {
    name: 'down',
    text: 'end the dev server and worker that run in the background',
    options: [{ flags: '--purge', text: 'and remove their database' }],
    load: () => import('../commands/down.js'),
  },
  {
    name: 'doctor',
    text: 'check this machine, and say what to do',
    options: [{ flags: '--config', text: 'show each setting and where it comes from' }],
    load: () => import('../commands/doctor.js'),
  },
];
