import { Busy } from "./busy.ts";

/** How soon a full waiting room is worth another try. */
const retryAfterSeconds = 5;

/** How many may wait in a lane, and for how long. */
interface Room {
  places: number;
  waitMs: number;
}

/** One of those whose work it is, and how many pieces of theirs may wait in a lane at a time. */
export type Share = readonly [whose: string, places: number];

/** Which lanes a piece of work may wait in, the first with a place being taken, and whose it is. */
export interface Turn<Lane extends string> {
  lanes: readonly Lane[];
  shares: readonly Share[];
  /** Who went away waits no longer. */
  readonly signal?: AbortSignal;
}

/** @throws Busy when no lane has a place for it, or it waited in vain */
type Gate<Lane extends string> = <T>(turn: Lane | Turn<Lane>, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  go: () => void;
  shares: readonly Share[];
}

/**
 * Lets so many pieces of work run at a time. The others wait, so many in each lane and so long and no more, and of each of
 * those whose work it is only their share: one alone fills no room. The lanes that are named first go first, and within a
 * lane work goes on in the order in which it came. A place is free again in the next turn of the event loop: what waits for
 * nothing else is over before the next request is read, and however many there are, others are heard between two pieces of work.
 * `lastGoesEvery`: of so many places one goes to the lane that is named last, so that the first never keeps it waiting for ever.
 */
export function openGate<Lane extends string>(
  atATime: number,
  rooms: Record<Lane, Room>,
  { lastGoesEvery = Number.POSITIVE_INFINITY }: { lastGoesEvery?: number } = {},
): Gate<Lane> {
  const lanes = Object.keys(rooms) as Lane[];
  const waiting = new Map(lanes.map((lane) => [lane, new Set<Waiting>()]));
  let running = 0;
  let handed = 0;
  const wait = (turn: Turn<Lane>): Promise<void> => {
    for (const lane of turn.lanes) {
      const inLane = waiting.get(lane) ?? new Set();
      const { places, waitMs } = rooms[lane];
      if (inLane.size < places && isWithin(inLane, turn.shares))
        return waitIn(inLane, turn, waitMs);
    }
    throw new Busy(retryAfterSeconds);
  };
  return async (turn, work) => {
    if (running < atATime) running += 1;
    else await wait(typeof turn === "string" ? { lanes: [turn], shares: [] } : turn);
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
    const [next] = inOrder.find((inLane) => inLane.size > 0) ?? [];
    // The place is handed on: nobody who comes meanwhile can take it.
    if (next) next.go();
    else running -= 1;
  }
}

/** Whether each of those whose work it is has a place of their share left. */
function isWithin(inLane: Set<Waiting>, shares: readonly Share[]): boolean {
  const taken = [...inLane].flatMap((each) => each.shares.map(([whose]) => whose));
  return shares.every(([whose, places]) => taken.filter((who) => who === whose).length < places);
}

function waitIn<Lane extends string>(
  inLane: Set<Waiting>,
  { shares, signal }: Turn<Lane>,
  waitMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (then: () => void) => {
      clearTimeout(inVain);
      signal?.removeEventListener("abort", giveUp);
      inLane.delete(place);
      then();
    };
    const giveUp = () => leave(() => reject(new Busy(retryAfterSeconds)));
    const place = { shares, go: () => leave(resolve) };
    const inVain = setTimeout(giveUp, waitMs);
    inLane.add(place);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}
