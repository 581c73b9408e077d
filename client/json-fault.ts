// Where a text stops being JSON. The engine's own parser tells this in words that change with its version, often without a place.

const BLANKS = /[ \t\r\n]*/y;
const MARK = /([{}[\],:])/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** control characters, which JSON wants escaped, are below */
const SPACE = 0x20;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER_OR_WORD = /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/;
/** One token other than a string: a mark, or a number and the three words. */
const TOKEN = new RegExp([MARK, NUMBER_OR_WORD].map((part) => part.source).join('|'), 'uy');

type Expected = 'a value' | 'a value or `]`' | 'a key' | 'a key or `}`' | '`:`' | '`,` or `}`' | '`,` or `]`' | 'the end of the file';

interface State {
  expected: Expected;
  /** `{` and `[` that are open */
  open: string[];
}

/** @returns undefined for JSON, else the offset of the first thing that is wrong, and what was expected there */
export function jsonFault(text: string): { offset: number; message: string } | undefined {
  const state: State = { expected: 'a value', open: [] };
  for (let at = 0; ;) {
    BLANKS.lastIndex = at;
    const start = at + (BLANKS.exec(text)?.[0].length ?? 0);
    if (start === text.length && state.expected === 'the end of the file') return undefined;
    const token = tokenAt(text, start);
    if (token === undefined || !step(state, token.mark)) return { offset: start, message: `JSON: expected ${state.expected}` };
    at = token.end;
  }
}

function tokenAt(text: string, start: number): { mark: string; end: number } | undefined {
  if (text[start] === '"') {
    const end = stringEnd(text, start + 1);
    return end === undefined ? undefined : { mark: 'string', end };
  }
  TOKEN.lastIndex = start;
  const match = TOKEN.exec(text);
  return match === null ? undefined : { mark: match[1] ?? 'value', end: TOKEN.lastIndex };
}

/** By hand: a pattern keeps a place to go back to for each character, and a string of 5 MB has more of them than there is stack. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < SPACE) return undefined;
    if (unit !== BACKSLASH) at += 1;
    else {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return undefined;
      at = ESCAPE.lastIndex;
    }
  }
  return undefined;
}

/** Goes on by one token; false when it cannot stand here. */
function step(state: State, mark: string): boolean {
  const { expected, open } = state;
  const wantsValue = expected === 'a value' || expected === 'a value or `]`';
  if (wantsValue && (mark === '{' || mark === '[')) {
    open.push(mark);
    state.expected = mark === '{' ? 'a key or `}`' : 'a value or `]`';
  } else if (wantsValue && (mark === 'value' || mark === 'string')) state.expected = afterValue(open);
  else if (expected.startsWith('a key') && mark === 'string') state.expected = '`:`';
  else if (expected === '`:`' && mark === ':') state.expected = 'a value';
  else if (expected.startsWith('`,`') && mark === ',') state.expected = open.at(-1) === '{' ? 'a key' : 'a value';
  else if (expected.endsWith('`}`') && mark === '}') close(state);
  else if (expected.endsWith('`]`') && mark === ']') close(state);
  else return false;
  return true;
}

function close(state: State): void {
  state.open.pop();
  state.expected = afterValue(state.open);
}

function afterValue(open: readonly string[]): Expected {
  const inside = open.at(-1);
  if (inside === undefined) return 'the end of the file';
  return inside === '{' ? '`,` or `}`' : '`,` or `]`';
}
