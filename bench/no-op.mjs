// The activity of both sides that does nothing: what is left is the engine, the SDK and the server.

/** A result as a program `true` gives it. */
export function noOpDispatch(host) {
  return async () => ({
    reached: 'spoke',
    ok: true,
    attempts: [{ attempt: 1, startedAt: new Date().toISOString() }],
    output: '',
    host,
    endedBy: 'exit',
  });
}
