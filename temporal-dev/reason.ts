// One line out of any error, with the cause that matters. Knows errors of Node, execa and fetch by their fields, not by class.

/** @returns the shortest text that tells why: the innermost cause's message, one line, at most 300 characters */
export function reasonOf(error: unknown): string {
  const { cause, shortMessage, stderr, message, code } = error as Partial<Record<string, unknown>>;
  if (typeof cause === 'object' && cause !== null && shortMessage === undefined) return reasonOf(cause);
  // a program's own last line says more than "command failed with exit code 1"
  const said = typeof stderr === 'string' ? stderr.trim().split('\n').at(-1) : undefined;
  const text = [shortMessage ?? message, said].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return (text || String(code ?? error)).replace(/\s+/g, ' ').slice(0, 300);
}
