import { Busy } from "./busy.ts";

/** How soon a full waiting room is worth another try. */
const retryAfterSeconds = 5;

/** How many may wait in a queue, and for how long. */
interface QueueLimits {
  places: number;
  waitMs: number;
}

/** One of those whose work it is, and how many pieces of theirs may wait in a queue at a time. */
export type Share = readonly [whose: string, places: number];

/** Which queues a piece of work may wait in, the first with a place being taken, and whose it is. */
export interface Turn<Queue extends string> {
  queues: readonly Queue[];
  shares: readonly Share[];
  /** Who went away waits no longer. */
  readonly signal?: AbortSignal;
}

/** @throws Busy when no queue has a place for it, or it waited in vain */
type Limited<Queue extends string> = <T>(
  turn: Queue | Turn<Queue>,
  work: () => Promise<T>,
) => Promise<T>;

interface Waiting {
  go: () => void;
  shares: readonly Share[];
}

/**
 * Lets so many pieces of work run at a time. The others wait, so many in each queue and so long and no more, and of each of
 * those whose work it is only their share: one alone fills no room. The queues that are named first go first, and within a
 * queue work goes on in the order in which it came. A place is free again in the next turn of the event loop: what waits for
 * nothing else is over before the next request is read, and however many there are, others are heard between two pieces of work.
 * `lastGoesEvery`: of so many places one goes to the queue that is named last, so that the first never keeps it waiting for ever.
 */
export function limitConcurrency<Queue extends string>(
  atATime: number,
  limits: Record<Queue, QueueLimits>,
  { lastGoesEvery = Number.POSITIVE_INFINITY }: { lastGoesEvery?: number } = {},
): Limited<Queue> {
  const queues = Object.keys(limits) as Queue[];
  const waiting = new Map(queues.map((queue) => [queue, new Set<Waiting>()]));
  let running = 0;
  let handed = 0;
  const wait = (turn: Turn<Queue>): Promise<void> => {
    for (const queue of turn.queues) {
      const queued = waiting.get(queue) ?? new Set();
      const { places, waitMs } = limits[queue];
      if (queued.size < places && isWithin(queued, turn.shares))
        return waitIn(queued, turn, waitMs);
    }
    throw new Busy(retryAfterSeconds);
  };
  return async (turn, work) => {
    if (running < atATime) running += 1;
    else await wait(typeof turn === "string" ? { queues: [turn], shares: [] } : turn);
    try {
      return await work();
    } finally {
      setImmediate(handOn);
    }
  };
  function handOn(): void {
    handed += 1;
    const inOrder = [...waiting.values()];
    if (handed % lastGoesEvery === 0) inOrder.reverse();
    const [next] = inOrder.find((queued) => queued.size > 0) ?? [];
    // The place is handed on: nobody who comes meanwhile can take it.
    if (next) next.go();
    else running -= 1;
  }
}

/** Whether each of those whose work it is has a place of their share left. */
function isWithin(queued: Set<Waiting>, shares: readonly Share[]): boolean {
  const taken = [...queued].flatMap((each) => each.shares.map(([whose]) => whose));
  return shares.every(([whose, places]) => taken.filter((who) => who === whose).length < places);
}

function waitIn<Queue extends string>(
  queued: Set<Waiting>,
  { shares, signal }: Turn<Queue>,
  waitMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (then: () => void) => {
      clearTimeout(inVain);
      signal?.removeEventListener("abort", giveUp);
      queued.delete(place);
      then();
    };
    const giveUp = () => leave(() => reject(new Busy(retryAfterSeconds)));
    const place = { shares, go: () => leave(resolve) };
    const inVain = setTimeout(giveUp, waitMs);
    queued.add(place);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}
