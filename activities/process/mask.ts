// Takes literal secrets out of text before it reaches a log, an event or a heartbeat (agents.md, Processes).
// Works on whole lines, so that no secret is halved by a chunk; knows nothing of where secrets come from.

const MASK = '***';
/** Shorter ones are part of ordinary words: masking them would make every log unreadable and hide nothing. */
const MIN_SECRET_CHARS = 4;

/** A function that masks; made once for a set of secrets, used for many lines. */
export type Masker = (text: string) => string;

/**
 * Each secret is masked as it is, as it looks inside JSON and in a URL; of one with several lines (a key file) each line by itself.
 * @param secrets literals of at least 4 characters; shorter ones are ignored
 */
export function masker(secrets: readonly string[]): Masker {
  const spellings = new Set(secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)].flatMap(spellingsOf)));
  const found = [...spellings].filter((spelling) => spelling.length >= MIN_SECRET_CHARS);
  if (found.length === 0) return (text) => text;
  // the longest first: where one secret is part of another, all of the longer one goes
  const pattern = new RegExp(
    found
      .sort((a, b) => b.length - a.length)
      .map(escape)
      .join('|'),
    'g',
  );
  return (text) => text.replace(pattern, MASK);
}

/** For a text or two; `masker` for many. */
export function mask(text: string, secrets: readonly string[]): string {
  return masker(secrets)(text);
}

function spellingsOf(secret: string): string[] {
  // by way of bytes: encodeURIComponent throws on half a surrogate pair
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())];
}

function escape(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
