// One line out of any error, with the cause that matters. Knows errors of Node, execa and fetch by their fields, not by class.

/** @returns the shortest text that tells why: the innermost cause's message, one line, at most 300 characters */
export function reasonOf(error: unknown): string {
  const { cause, shortMessage, originalMessage, stderr, message, code } = error as Partial<Record<string, unknown>>;
  if (shortMessage === undefined && typeof cause === 'object' && cause !== null) return reasonOf(cause);
  // of a program: its own last line, else what kept it from running, says more than a long command that "failed with exit code 1"
  const said = typeof stderr === 'string' ? stderr.trim().split('\n').at(-1) : undefined;
  const text = [said, originalMessage, shortMessage, message, code].find((part) => typeof part === 'string' && part !== '');
  return String(text ?? error)
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
