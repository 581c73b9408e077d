// The live view of one run on a terminal: nodes, what they cost, what waits, and what Ctrl-C does. Shows snapshots; asks nobody.

import { Box, Text, useInput, useStdout } from 'ink';
import { useEffect, useState, type ReactElement } from 'react';
import type { NodeView } from '../../model/run/views.js';
import { clearingCommand } from '../../client/waiting.js';
import { colourOf, type Colour } from '../render/colour.js';
import { counted } from '../render/counts.js';
import { oneLine } from '../render/plain.js';
import { usageText, whyLine } from '../render/status-view.js';
import { elapsed } from '../render/time.js';
import type { Snapshot } from './snapshot.js';

export interface RunViewProps {
  run: string;
  snapshot: Snapshot | undefined;
  /** the person leaves, the run goes on */
  onDetach: () => void;
  onCancel: () => void;
}

/** Elapsed times tick by the second. */
const TICK_MS = 1_000;
/** Lines that are not nodes: head, blank, what waits, the foot. */
const FRAME_LINES = 6;
const LEAST_ROWS = 5;

const MARKS: Record<string, string> = { done: '✓', failed: '✗', running: '●', waiting: '?', blocked: '⊘', cancelled: '–', parked: '‖' };

/** What matters first when there is not room for all. */
const ORDER = ['waiting', 'failed', 'running', 'ready', 'blocked', 'cancelled', 'parked', 'complete-draft', 'pending', 'done'];

export function RunView({ run, snapshot, onDetach, onCancel }: RunViewProps): ReactElement {
  const [asking, setAsking] = useState(false);
  const [listening, setListening] = useState(false);
  const now = useNow();
  const { stdout } = useStdout();
  useInput((input, key) => {
    const interrupt = key.ctrl && input === 'c';
    if (!asking) return interrupt ? setAsking(true) : undefined;
    if (interrupt || input === 'c') onCancel();
    else if (key.return || input === 'd') onDetach();
    if (interrupt || input === 'c' || key.escape) setAsking(false);
  });
  // runs after useInput's own effect: from here on Ctrl-C is a key and no signal, and the foot may say so
  useEffect(() => setListening(true), []);
  if (snapshot === undefined) return <Text dimColor>{`${run}: waiting for a worker to answer`}</Text>;
  return (
    <Box flexDirection="column">
      <Head snapshot={snapshot} now={now} />
      <Nodes
        nodes={snapshot.nodes}
        rows={(stdout.rows || 24) - FRAME_LINES - 2 * snapshot.status.waiting.length}
        columns={stdout.columns || 80}
        now={now}
      />
      <Waiting snapshot={snapshot} />
      <Foot asking={asking} listening={listening} stale={snapshot.stale} />
    </Box>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Head({ snapshot: { status }, now }: { snapshot: Snapshot; now: number }): ReactElement {
  const spent = usageText(status.usage);
  return (
    <Text>
      <Text bold>{status.run_id}</Text>
      <Text {...style(colourOf(status.state))}>{`  ${status.state}`}</Text>
      {`  ${elapsed(status.started_at, status.ended_at, now)}  ${counted(status.counts)}${spent === '' ? '' : `  ${spent}`}`}
      {status.held === undefined ? '' : `\nnothing new starts: ${oneLine(status.held)}`}
    </Text>
  );
}

function Nodes({ nodes, rows, columns, now }: { nodes: readonly NodeView[]; rows: number; columns: number; now: number }): ReactElement {
  const shown = fitting(nodes, Math.max(LEAST_ROWS, rows));
  const width = Math.max(...shown.map(({ id }) => id.length), 4);
  return (
    <Box flexDirection="column">
      {shown.map((node) => (
        <Text key={node.id} wrap="truncate-end">
          <Text {...style(colourOf(node.status))}>{`${MARKS[node.status] ?? '·'} ${node.id.padEnd(width)} ${node.status.padEnd(9)}`}</Text>
          {oneLine(nodeTail(node, now), Math.max(10, columns - width - 13))}
        </Text>
      ))}
      {shown.length < nodes.length ? <Text dimColor>{`  and ${nodes.length - shown.length} more`}</Text> : null}
    </Box>
  );
}

function nodeTail(node: NodeView, now: number): string {
  const spent = node.usage === undefined ? '' : usageText(node.usage);
  return [elapsed(node.started_at, node.settled_at, now), spent, whyLine(node)].filter((part) => part !== '').join('  ');
}

/** Those that fit, the important ones first, shown in plan order. */
function fitting(nodes: readonly NodeView[], rows: number): readonly NodeView[] {
  if (nodes.length <= rows) return nodes;
  const rank = (node: NodeView): number => ORDER.indexOf(node.status);
  const kept = new Set([...nodes].sort((a, b) => rank(a) - rank(b)).slice(0, rows));
  return nodes.filter((node) => kept.has(node));
}

function Waiting({ snapshot: { status } }: { snapshot: Snapshot }): ReactElement | null {
  if (status.waiting.length === 0) return null;
  return (
    <Box flexDirection="column" marginTop={1}>
      {status.waiting.map((one) => (
        <Text key={one.reference}>
          <Text color="yellow">{`waits for you: ${oneLine(one.action, 200)}`}</Text>
          {`\n  ${clearingCommand(status.run_id, one)}`}
        </Text>
      ))}
    </Box>
  );
}

function Foot({ asking, listening, stale }: { asking: boolean; listening: boolean; stale: string | undefined }): ReactElement {
  if (asking) return <Text color="yellow">Leave and let the run go on (Enter), cancel the run (c, or Ctrl-C again), or stay (Esc)?</Text>;
  return <Text dimColor>{stale !== undefined ? oneLine(stale) : listening ? 'Ctrl-C to leave or cancel' : ' '}</Text>;
}

function style(colour: Colour): { color?: string; dimColor?: boolean } {
  return colour === 'dim' || colour === 'bold' ? { dimColor: colour === 'dim' } : { color: colour };
}
