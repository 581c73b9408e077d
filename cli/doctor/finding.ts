// One thing that was looked at, and what to do about it.

export interface Finding {
  what: string;
  /** `fail`: runs will not work; `warn`: something will not */
  verdict: 'ok' | 'warn' | 'fail';
  detail: string;
  /** the next step, for warn and fail */
  advice?: string;
}

export function ok(what: string, detail: string): Finding {
  return { what, verdict: 'ok', detail };
}

export function warn(what: string, detail: string, advice: string): Finding {
  return { what, verdict: 'warn', detail, advice };
}

export function fail(what: string, detail: string, advice: string): Finding {
  return { what, verdict: 'fail', detail, advice };
}
