// Where a text stops being JSON. The engine's own parser tells this in words that change with its version, often without a place.

const BLANKS = /[ \t\r\n]*/y;
const MARK = /([{}[\],:])/;
// every control character is left out of a string, as JSON wants it
const STRING = /("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")/u;
const NUMBER_OR_WORD = /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/;
/** One token: a mark, a string, or a number and the three words. */
const TOKEN = new RegExp([MARK, STRING, NUMBER_OR_WORD].map((part) => part.source).join('|'), 'uy');

type Expected = 'a value' | 'a value or `]`' | 'a key' | 'a key or `}`' | '`:`' | '`,` or `}`' | '`,` or `]`' | 'the end of the file';

interface State {
  expected: Expected;
  /** `{` and `[` that are open */
  open: string[];
}

/** @returns undefined for JSON, else the offset of the first thing that is wrong, and what was expected there */
export function jsonFault(text: string): { offset: number; message: string } | undefined {
  const state: State = { expected: 'a value', open: [] };
  for (let at = 0; ; at = TOKEN.lastIndex) {
    BLANKS.lastIndex = at;
    const start = at + (BLANKS.exec(text)?.[0].length ?? 0);
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (start === text.length && state.expected === 'the end of the file') return undefined;
    const mark = match?.[1] ?? (match?.[2] === undefined ? 'value' : 'string');
    if (match === null || !step(state, mark)) return { offset: start, message: `JSON: expected ${state.expected}` };
  }
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
