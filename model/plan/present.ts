// Objects without empty keys: an absent key is left out, not undefined, so that what is compared and stored is plain JSON.

/** The same object without the keys that have no value. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
