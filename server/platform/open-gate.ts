/** Lets so many pieces of work run at a time; the others wait in the order in which they came. */
export function openGate(atATime: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async (work) => {
    if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place is handed on: nobody who comes meanwhile can take it.
      if (next) next();
      else running -= 1;
    }
  };
}
