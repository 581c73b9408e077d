// Whether an error's text is a refusal by quota, in the wordings that CLIs were seen to use (case O-11, agent-clis.md).
// Only for texts of error records: an agent may talk about limits (case O-12).

const WORDINGS: readonly RegExp[] = [
  // "You've hit your limit", "… your session limit", "… your weekly limit", "… your usage limit"
  /\bhit your (?:[\w-]+ ){0,3}limits?\b/i,
  /\b(?:usage|session|weekly|daily|monthly|hourly|5-hour|opus|sonnet|rate|request|token) limits?\b.{0,20}\b(?:reached|exceeded|hit)\b/i,
  /\b(?:reached|exceeded|exhausted|over) (?:[\w-]+ ){0,5}(?:rate|usage|request|token|api usage|quota) ?limits?\b/i,
  /\brate[ _-]?limit(?:ed|_error|_exceeded|s)?\b/i,
  /\bquota\b.{0,40}\b(?:exceeded|exhausted|reached)\b|\b(?:exceeded|exhausted|reached)\b.{0,40}\bquota\b|\binsufficient_quota\b/i,
  /\btoo many requests\b|\bresource_?exhausted\b|\b429\b/i,
  // "… resets 3:05pm (UTC)", "… resets Apr 27, 9am"
  /\bresets (?:at |on |in )?(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)/i,
];

/** Both apostrophes are read, since no wording rests on one ("You've" and "You’ve" alike). */
export function isQuotaWording(text: string): boolean {
  return WORDINGS.some((wording) => wording.test(text));
}
