// Hours in which no worker takes a run's activities. The server's own skipping stands still as long as one is scheduled, so time is moved
// from one deadline to just before the next, read from the history; the deadline itself falls by the clock.

import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { TimeServer } from './time-server.js';
import { until } from './until.js';

type Event = temporal.api.history.v1.IHistoryEvent;
type Duration = { seconds?: unknown; nanos?: number | null } | null | undefined;

/** Left to the clock before each deadline: the calls of a leap take a few ms of it, on a busy machine some tens. */
const MARGIN_MS = 250;

/** What a run waits for: scheduled activities, and when the first of them, or a timer, falls due (ms since the epoch). */
interface Pending {
  task: boolean;
  activities: number;
  due: number;
}

/**
 * Lets `ms` of the server's time pass while nobody takes the activities of this run: a home that is away, an executor without workers.
 * A worker must be there for its workflow tasks, and the run be the only one that moves. Each deadline within costs about half a second.
 */
export async function passUnattended(time: TimeServer, handle: WorkflowHandle, ms: number): Promise<void> {
  const end = (await time.now()) + ms;
  for (;;) {
    const { activities, due } = await until(async () => {
      const pending = pendingOf((await handle.fetchHistory()).events ?? []);
      // a deadline that has just passed is about to become a workflow task
      return !pending.task && pending.due > (await time.now()) && pending;
    });
    const left = Math.min(end, due - MARGIN_MS) - (await time.now());
    if (left > 0) await time.leap(left, activities);
    if ((await time.now()) >= end) return;
    await until(async () => (await time.now()) >= Math.min(due, end));
  }
}

function pendingOf(events: readonly Event[]): Pending {
  const open = new Map<string, number>();
  let task = false;
  for (const event of events) {
    const id = String(event.eventId);
    if (event.activityTaskScheduledEventAttributes)
      open.set(id, after(event, event.activityTaskScheduledEventAttributes.scheduleToStartTimeout));
    if (event.timerStartedEventAttributes) open.set(`timer ${id}`, after(event, event.timerStartedEventAttributes.startToFireTimeout));
    if (event.workflowTaskScheduledEventAttributes) task = true;
    if (event.workflowTaskCompletedEventAttributes) task = false;
    open.delete(closedBy(event));
  }
  return { task, activities: [...open.keys()].filter((id) => !id.startsWith('timer')).length, due: Math.min(...open.values(), Infinity) };
}

/** The entry that an event closes; a name of no entry for all other events. */
function closedBy(event: Event): string {
  const timer = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
  if (timer) return `timer ${String(timer.startedEventId)}`;
  const activity =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  return String(activity?.scheduledEventId);
}

function after(event: Event, duration: Duration): number {
  const ms = msOf(duration);
  return ms === 0 ? Infinity : msOf(event.eventTime) + ms;
}

function msOf(time: Duration): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}
