// Bounded copies of text for what is relayed: events and facts stay small, the log has the whole (case O-09).

/** as long as the text in an event's payload may be (run.md, Events) */
const LIMIT = 4_096;

/** At most `limit` characters, never half of a surrogate pair; a cut says so, with the size of the whole in bytes. */
export function excerpt(text: string, limit: number = LIMIT): string {
  if (text.length <= limit) return text;
  const high = text.charCodeAt(limit - 1) >= 0xd800 && text.charCodeAt(limit - 1) <= 0xdbff;
  return `${text.slice(0, high ? limit - 1 : limit)}… [cut: ${Buffer.byteLength(text)} bytes in all]`;
}

/** A value of unknown shape as text: strings as they are, the rest as JSON. */
export function excerptOf(value: unknown, limit?: number): string {
  return excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), limit);
}
