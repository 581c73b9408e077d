// Bounded text, counted in bytes of UTF-8, without Buffer (the sandbox has none).

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += unitBytes(text.charCodeAt(i));
  return bytes;
}

// a surrogate pair is 4 bytes: 2 for each of its units
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

const MARK = '… [cut]';
const MARK_BYTES = 9;

/** `text` if it fits in `max` bytes, else its beginning, cut on a character, with a mark that says so. */
export function cutText(text: string, max: number): string {
  if (text.length * 3 <= max || utf8Length(text) <= max) return text;
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const wide = isHighSurrogate(text.charCodeAt(end)) ? 2 : 1;
    const size = wide === 2 ? 4 : unitBytes(text.charCodeAt(end));
    if (bytes + size > max - MARK_BYTES) break;
    bytes += size;
    end += wide;
  }
  return text.slice(0, end) + MARK;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
