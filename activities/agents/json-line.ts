// One line of a stream as JSON object, or nothing: noise between the lines is no error (case O-10).

/** @returns undefined for text, arrays, `null`, strings, broken JSON: what the log keeps and readers ignore */
export function jsonObject(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Not JSON after all: the CLI's own noise, which the log has. `{` at its start makes it an object when it parses.
    return undefined;
  }
}
