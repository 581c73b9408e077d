// The messages of model/messages.ts as Temporal knows them. Handlers take what comes: what cannot be read is answered, never thrown.

import { defineQuery, defineSignal } from '@temporalio/workflow';
import { QUERIES, SIGNALS, type EventsQuery, type NodesQuery } from '../model/messages.js';
import type { ResultV3 } from '../model/run/result.js';
import type { eventsView } from '../model/run/view.js';
import type { Answer, NodeView, StatusView, SurfaceView } from '../model/run/views.js';

export const attestSignal = defineSignal<[unknown]>(SIGNALS.attest);
export const replySignal = defineSignal<[unknown]>(SIGNALS.reply);
export const cancelSignal = defineSignal<[unknown]>(SIGNALS.cancel);
export const commandSignal = defineSignal<[unknown]>(SIGNALS.command);
export const reportSignal = defineSignal<[unknown]>(SIGNALS.report);
export const subscribeSignal = defineSignal<[unknown]>(SIGNALS.subscribe);
export const upstreamSignal = defineSignal<[unknown]>(SIGNALS.upstream);

export const answerQuery = defineQuery<Answer | null, [string]>(QUERIES.answer);
export const statusQuery = defineQuery<StatusView>(QUERIES.status);
export const nodesQuery = defineQuery<NodeView[], [NodesQuery]>(QUERIES.nodes);
export const eventsQuery = defineQuery<ReturnType<typeof eventsView>, [EventsQuery]>(QUERIES.events);
export const surfacesQuery = defineQuery<SurfaceView[]>(QUERIES.surfaces);
export const resultQuery = defineQuery<ResultV3>(QUERIES.result);
