import { Busy } from "./busy.ts";

/** How soon a full waiting room is worth another try. */
const retryAfterSeconds = 5;

/** How many may wait in a lane, and for how long. */
interface Room {
  places: number;
  waitMs: number;
}

/** @throws Busy when too much waits in this lane already, or waited in vain */
type Gate<Lane extends string> = <T>(lane: Lane, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many pieces of work run at a time. The others wait, so many in each lane and so long and no more; the lanes that are
 * named first go first, and within a lane work goes on in the order in which it came. A place is free
 * again in the next turn of the event loop: what waits for nothing else is over before the next request is read, and however many
 * there are, others are heard between two pieces of work.
 */
export function openGate<Lane extends string>(
  atATime: number,
  rooms: Record<Lane, Room>,
): Gate<Lane> {
  const lanes = Object.keys(rooms) as Lane[];
  const waiting = new Map(lanes.map((lane) => [lane, new Set<() => void>()]));
  let running = 0;
  return async (lane, work) => {
    if (running < atATime) running += 1;
    else await waitIn(waiting.get(lane) ?? new Set(), rooms[lane]);
    try {
      return await work();
    } finally {
      setImmediate(handOn);
    }
  };
  function handOn(): void {
    const [next] = [...waiting.values()].find((room) => room.size > 0) ?? [];
    // The place is handed on: nobody who comes meanwhile can take it.
    if (next) next();
    else running -= 1;
  }
}

function waitIn(room: Set<() => void>, { places, waitMs }: Room): Promise<void> {
  if (room.size >= places) throw new Busy(retryAfterSeconds);
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(inVain);
      room.delete(go);
      resolve();
    };
    const inVain = setTimeout(() => {
      room.delete(go);
      reject(new Busy(retryAfterSeconds));
    }, waitMs);
    room.add(go);
  });
}
