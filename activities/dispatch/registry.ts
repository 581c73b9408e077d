// The dispatches that run in this process, by run and id: who can be killed by name, and who is in the way of a later attempt.

/** `cancel`: a person's word. `gone`: a later attempt takes its place, and nobody waits for what it says. */
type Kill = (reason: 'cancel' | 'gone') => void;

interface Entry {
  kill: Kill;
  left: Promise<void>;
}

export class Registry {
  readonly #entries = new Map<string, Entry>();

  /**
   * Takes the place of a dispatch. An earlier attempt that the server has given up may still run here: it is killed, and waited
   * for, so that there are never two trees for one dispatch (case O-40).
   * @returns what to call when its own tree is gone
   */
  async enter(run: string, dispatch: string, kill: Kill): Promise<() => void> {
    const key = keyOf(run, dispatch);
    for (let former = this.#entries.get(key); former; former = this.#entries.get(key)) {
      former.kill('gone');
      await former.left;
    }
    let leave = (): void => undefined;
    const entry: Entry = { kill, left: new Promise((resolve) => (leave = resolve)) };
    this.#entries.set(key, entry);
    return () => {
      this.#entries.delete(key);
      leave();
    };
  }

  /** @returns whether it runs here */
  kill(run: string, dispatch: string): boolean {
    const entry = this.#entries.get(keyOf(run, dispatch));
    entry?.kill('cancel');
    return entry !== undefined;
  }
}

function keyOf(run: string, dispatch: string): string {
  return `${run}/${dispatch}`;
}
