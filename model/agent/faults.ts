// What kind of ending an API refusal is: quota, login, billing, server or the task's own failure.
// Read from a CLI's error record alone. Must never be shown what an agent merely says (case O-12).

import { isQuotaWording } from './quota-wording.js';

export type Fault = 'quota' | 'login' | 'billing' | 'server' | 'task';

export interface ApiRefusal {
  /** HTTP status, where the record has one */
  http?: number;
  /** the record's own word for it, e.g. claude's `error: "rate_limit"` */
  word?: string;
  text: string;
}

const WORDS: Readonly<Record<string, Fault>> = {
  rate_limit: 'quota',
  authentication_failed: 'login',
  oauth_org_not_allowed: 'login',
  billing_error: 'billing',
  server_error: 'server',
  overloaded: 'server',
};

/** The record's structure first (word, then status), its wording last (agents.md, Quota). */
export function faultOf(refusal: ApiRefusal): { fault: Fault; http?: number } {
  const http = refusal.http ?? statusIn(refusal.text);
  const named = refusal.word !== undefined && Object.hasOwn(WORDS, refusal.word) ? WORDS[refusal.word] : undefined;
  const fault = named ?? faultOfStatus(http) ?? faultOfText(refusal.text);
  return http === undefined ? { fault } : { fault, http };
}

/** 400 and its like say nothing by themselves: a spent credit and a malformed request both use it. */
function faultOfStatus(http: number | undefined): Fault | undefined {
  if (http === undefined) return undefined;
  if (http === 429) return 'quota';
  if (http === 401 || http === 403) return 'login';
  if (http === 402) return 'billing';
  return http >= 500 && http < 600 ? 'server' : undefined;
}

const WORDINGS: readonly [RegExp, Fault][] = [
  [/credit balance is too low|insufficient (?:credits?|balance|funds)|payment required/i, 'billing'],
  [
    /not logged in|please run \/login|invalid api key|authentication_(?:failed|error)|missing environment variable: `?\w*(?:KEY|TOKEN)/i,
    'login',
  ],
  [/(?:access|refresh) token (?:could not be refreshed|was revoked|has expired|expired)|unauthorized|log ?in again/i, 'login'],
];
// A connection that broke is the server's, whoever's cable it was: asked again while nothing was said (run.md, Dispatches).
const SERVER: readonly RegExp[] = [
  /overloaded|high demand|internal server error|fetch failed|request timed out/i,
  /unable to connect|connection (?:error|failed|refused|reset|closed)|stream disconnected|error sending request/i,
  /\b(?:ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)\b/,
];

function faultOfText(text: string): Fault {
  const listed = WORDINGS.find(([wording]) => wording.test(text));
  if (listed) return listed[1];
  if (isQuotaWording(text)) return 'quota';
  return SERVER.some((wording) => wording.test(text)) ? 'server' : 'task';
}

/** The status in "API Error: 529 …", "unexpected status 401 …", "last status: 429 …", "rejected (429)". */
function statusIn(text: string): number | undefined {
  const found = /(?:API Error: |\bstatus(?: code)?:? |\()([45]\d\d)\b/i.exec(text);
  return found ? Number(found[1]) : undefined;
}
