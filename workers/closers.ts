// What was opened is closed again, last first, also when opening the next thing fails.

export interface Closers {
  add(close: () => Promise<void>): void;
  /** closes everything once; goes on past a failing one and then throws the first failure */
  close(): Promise<void>;
}

export function closers(): Closers {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (close) => void open.push(close),
    async close() {
      const failures: unknown[] = [];
      for (let close = open.pop(); close; close = open.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
