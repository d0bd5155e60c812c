import { addDays, startOfDay, utcDay } from "../../core/utc-day.ts";
import type { Market } from "../../server/markets/simulation/simulated-market.ts";

/** One thing that happened to the invented people. */
export interface DemoEvent {
  at: Date;
  happen(at: Date): Promise<unknown>;
}

/** The days before a demo, counted back from the one on which it is filled. Only what happened minutes ago knows the hour. */
export interface DemoDays {
  now: Date;
  /** What coins cost and miners earned on these days. */
  market: Market;
  /** A UTC day so many days ago. */
  day(daysAgo: number): string;
  /** A moment of a day that is over: `at(3, "14:20")`. */
  at(daysAgo: number, time: string): Date;
  minutesAgo(minutes: number): Date;
  /** Shortly after the end of a day, but never later than now. */
  afterDay(daysAgo: number, minutes: number): Date;
}

export function demoDays(now: Date, market: Market): DemoDays {
  const day = (daysAgo: number) => addDays(utcDay(now), -daysAgo);
  return {
    now,
    market,
    day,
    at(daysAgo, time) {
      if (daysAgo < 1) throw new RangeError("of today only the last minutes are known");
      return new Date(`${day(daysAgo)}T${time}:00Z`);
    },
    minutesAgo: (minutes) => new Date(now.getTime() - minutes * 60_000),
    afterDay(daysAgo, minutes) {
      const ended = startOfDay(day(daysAgo - 1)).getTime();
      return new Date(Math.min(ended + minutes * 60_000, now.getTime()));
    },
  };
}

/** Lets everything happen in the order of its moments: lists that show the newest first then do. */
export async function runTimeline(events: DemoEvent[]): Promise<void> {
  const inOrder = events.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (const { at, happen } of inOrder) await happen(at);
}
