// Waiting for a condition, with a deadline: never for time to pass.

type Truthy<T> = Exclude<Awaited<T>, false | null | undefined | 0 | ''>;

/**
 * Calls `probe` until it answers something truthy.
 * @param ms deadline, default 30 s; the last error or the condition's text is in the message
 */
export async function until<T>(probe: () => T | Promise<T>, ms = 30_000): Promise<Truthy<T>> {
  const end = Date.now() + ms;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const value = await probe();
      if (value) return value as unknown as Truthy<T>;
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not so within ${ms} ms: ${probe.toString()}; last: ${String(last)}`);
}
