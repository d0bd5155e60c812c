import type { Db } from "./database.ts";

/**
 * Lets all who ask the same of one database within some seconds share one reading. For what everybody is shown
 * alike, never for what belongs to one person; and where a failed reading is tried again by the next who asks.
 *
 * @param keyOf tells readings apart; there must be few different ones.
 */
export function memoizeFor<K, T>(
  forMs: number,
  keyOf: (input: K) => string,
  read: (db: Db, input: K, now: Date) => Promise<T>,
): (db: Db, input: K, now: Date) => Promise<T> {
  const readings = new WeakMap<Db, Map<string, { at: number; reading: Promise<T> }>>();
  return (db, input, now) => {
    const known = readings.get(db) ?? new Map<string, { at: number; reading: Promise<T> }>();
    readings.set(db, known);
    const key = keyOf(input);
    const last = known.get(key);
    const age = last ? now.getTime() - last.at : forMs;
    if (last && age >= 0 && age < forMs) return last.reading;
    const reading = read(db, input, now);
    known.set(key, { at: now.getTime(), reading });
    reading.catch(() => known.delete(key));
    return reading;
  };
}
