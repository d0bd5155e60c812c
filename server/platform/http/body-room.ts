/** The body was given up for others that came later. */
export class BodyCrowdedOut extends Error {}

export interface PlaceForBody {
  /** So many bytes more are kept. */
  hold(bytes: number): void;
  leave(): void;
}

/** The memory of a process for bodies that are being read. */
export interface BodyRoom {
  /** @param giveUp told with `BodyCrowdedOut` once others need the room */
  enter(giveUp: (error: BodyCrowdedOut) => void): PlaceForBody;
}

/**
 * Room for so many bytes of bodies that are being read, however many send at a time. Where there is no more, the one that has been sending
 * for longest is given up: whoever sends a form is done in a moment, and whoever sends slowly to fill the room makes way himself.
 */
export function openBodyRoom(maxBytes: number): BodyRoom {
  const reading = new Map<PlaceForBody, { bytes: number; giveUp(error: BodyCrowdedOut): void }>();
  let held = 0;
  return {
    enter(giveUp) {
      const place: PlaceForBody = {
        hold(bytes) {
          const mine = reading.get(place);
          if (!mine) return;
          mine.bytes += bytes;
          held += bytes;
          for (const [oldest, { giveUp: giveUpOldest }] of reading) {
            if (held <= maxBytes) return;
            oldest.leave();
            giveUpOldest(new BodyCrowdedOut("others need the room"));
          }
        },
        leave() {
          held -= reading.get(place)?.bytes ?? 0;
          reading.delete(place);
        },
      };
      reading.set(place, { bytes: 0, giveUp });
      return place;
    },
  };
}
