// Makes text that others wrote safe and short enough for one line of a terminal. An agent's words must not move the cursor.

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// eslint-disable-next-line no-control-regex -- see above
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without escape sequences, control characters and changes of writing direction; newlines and tabs stay. */
export function safe(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/** One line: newlines become spaces. Cut with an ellipsis at `width` characters. */
export function oneLine(text: string, width = Number.POSITIVE_INFINITY): string {
  const line = safe(text).replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
