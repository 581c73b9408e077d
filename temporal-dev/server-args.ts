// The command line of the dev server, as data: what is tuned and why. Starts nothing.

export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export interface ServerArgs {
  ip: string;
  port: number;
  uiPort: number;
  /** absolute; absent: in memory */
  dbFile?: string | undefined;
  searchAttributes: Readonly<Record<string, SearchAttributeType>>;
}

/** operations.md, Speed: the queue readers' stock tick costs 35 ms a node on a chain; the third keeps tasks of busy runs from failing. */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.maximumBufferedEventsBatch=2000',
];

/** As fast as memory, and safe against the death of the process: WAL with synchronous=1 can only lose the last writes of a power cut. */
const PRAGMAS = ['journal_mode=wal', 'synchronous=1'];

const each = (flag: string, values: readonly string[]): string[] => values.flatMap((value) => [flag, value]);

/** Arguments after the CLI's path. */
export function serverArgs({ ip, port, uiPort, dbFile, searchAttributes }: ServerArgs): string[] {
  return [
    ...['server', 'start-dev', '--ip', ip, '--port', String(port), '--ui-port', String(uiPort)],
    ...each('--dynamic-config-value', DYNAMIC_CONFIG),
    ...each(
      '--search-attribute',
      Object.entries(searchAttributes).map(([name, type]) => `${name}=${type}`),
    ),
    ...(dbFile === undefined ? [] : ['--db-filename', dbFile, ...each('--sqlite-pragma', PRAGMAS)]),
  ];
}
