// What a finished run cost, read from its histories: server time, so that the client's own delays do not count.

const CONTINUED = 'workflowExecutionContinuedAsNewEventAttributes';

/** Milliseconds of a protobuf timestamp. */
export function ms({ seconds, nanos }) {
  return Number(seconds) * 1000 + nanos / 1e6;
}

/**
 * Follows a workflow over its continue-as-new.
 * @returns {Promise<{ workflowId: string, runId: string, durationMs: number, events: number, bytes: number, executions: number }>}
 */
export async function costOf(client, workflowId, firstRunId) {
  let startedAt;
  let events = 0;
  let bytes = 0;
  let executions = 0;
  for (let runId = firstRunId; ;) {
    const { workflowExecutionInfo: info } = await describe(client, workflowId, runId);
    startedAt ??= ms(info.startTime);
    events += Number(info.historyLength);
    bytes += Number(info.historySizeBytes);
    executions += 1;
    const next = await continuedTo(client, workflowId, runId);
    if (next === undefined) return { workflowId, runId: firstRunId, durationMs: ms(info.closeTime) - startedAt, events, bytes, executions };
    runId = next;
  }
}

async function describe(client, workflowId, runId) {
  return client.workflowService.describeWorkflowExecution({ namespace: client.options.namespace, execution: { workflowId, runId } });
}

async function continuedTo(client, workflowId, runId) {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  return history.events[0]?.[CONTINUED]?.newExecutionRunId;
}

/** All events of one execution, oldest first. */
export async function eventsOf(client, workflowId, runId) {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return history.events ?? [];
}

const STARTED = 'activityTaskStartedEventAttributes';
const SCHEDULED = 'activityTaskScheduledEventAttributes';

/** Server times at which activities of a type were started, in order. */
export function activityStarts(events, type) {
  const wanted = new Set(events.filter((event) => event[SCHEDULED]?.activityType?.name === type).map((event) => String(event.eventId)));
  return events
    .filter((event) => wanted.has(String(event[STARTED]?.scheduledEventId)))
    .map((event) => ms(event.eventTime))
    .sort((a, b) => a - b);
}

/** Server times at which signals of a name arrived, in order. */
export function signalTimes(events, name) {
  return events.filter((event) => event.workflowExecutionSignaledEventAttributes?.signalName === name).map((event) => ms(event.eventTime));
}
