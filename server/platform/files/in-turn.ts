/** Pictures decoded at the same time, at most. Each may need some 200 MB for a moment. */
const atOnce = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Does heavy work when its turn comes, so that many uploads at once cost time, not memory. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // Whoever waits inherits the place, so `running` stays as it is.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
