import { Busy } from "./busy.ts";

/** How soon a full waiting room is worth another try. */
const retryAfterSeconds = 5;

/** @throws Busy when too much waits in this lane already */
type Gate<Lane extends string> = <T>(lane: Lane, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many pieces of work run at a time. The others wait, so many in each lane and no more; the lanes that are named first
 * go first, and within a lane work goes on in the order in which it came.
 */
export function openGate<Lane extends string>(
  atATime: number,
  room: Record<Lane, number>,
): Gate<Lane> {
  const lanes = Object.keys(room) as Lane[];
  const waiting = Object.fromEntries(lanes.map((lane) => [lane, []])) as unknown as Record<
    Lane,
    Array<() => void>
  >;
  let running = 0;
  return async (lane, work) => {
    if (running < atATime) running += 1;
    else if (waiting[lane].length >= room[lane]) throw new Busy(retryAfterSeconds);
    else await new Promise<void>((resolve) => waiting[lane].push(resolve));
    try {
      return await work();
    } finally {
      const next = lanes.find((each) => waiting[each].length > 0);
      // The place is handed on: nobody who comes meanwhile can take it.
      if (next) waiting[next].shift()?.();
      else running -= 1;
    }
  };
}
