/** The body was given up for others that came later. */
export class BodyCrowdedOut extends Error {}

export interface PlaceForBody {
  /** Rejects with `BodyCrowdedOut` once others need the room. */
  crowdedOut: Promise<never>;
  /** So many bytes more are kept. */
  hold(bytes: number): void;
  leave(): void;
}

/** The memory of a process for bodies that are being read. */
export interface BodyRoom {
  enter(): PlaceForBody;
}

/**
 * Room for so many bytes of bodies that are being read, however many send at a time. Where there is no more, the one that has been sending
 * for longest is given up: whoever sends a form is done in a moment, and whoever sends slowly to fill the room makes way himself.
 */
export function openBodyRoom(maxBytes: number): BodyRoom {
  const reading = new Set<{ bytes: number; giveUp(): void }>();
  let held = 0;
  return {
    enter() {
      const { promise, reject } = Promise.withResolvers<never>();
      // It may be given up while nobody waits for its next piece.
      promise.catch(() => {});
      const place = {
        bytes: 0,
        giveUp: () => {
          leave();
          reject(new BodyCrowdedOut("others need the room"));
        },
      };
      const leave = () => {
        if (reading.delete(place)) held -= place.bytes;
      };
      reading.add(place);
      return {
        crowdedOut: promise,
        hold(bytes) {
          if (!reading.has(place)) return;
          place.bytes += bytes;
          held += bytes;
          for (const oldest of reading) {
            if (held <= maxBytes) return;
            oldest.giveUp();
          }
        },
        leave,
      };
    },
  };
}
