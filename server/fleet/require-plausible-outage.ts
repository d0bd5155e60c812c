import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import type { Tx } from "../platform/database.ts";
import { listDeliveries } from "./list-deliveries.ts";

/** What is said of an outage. */
export interface OutageWords {
  siteId: string;
  /** Null: all machines of the site. */
  deliveryId: string | null;
  startedAt: Date;
  /** Null: it goes on. */
  endedAt: Date | null;
  lostGhs: bigint;
  /** As customers read it. */
  reason: string;
}

/**
 * Guards what is noted of an outage: customers read it.
 *
 * @throws Refusal `fleet/outage-in-the-future`, `fleet/outage-ends-before-it-starts`, `fleet/no-such-delivery`,
 *   `fleet/more-than-runs`
 */
export async function requirePlausibleOutage(
  tx: Tx,
  { siteId, deliveryId, startedAt, endedAt, lostGhs }: OutageWords,
  now: Date,
): Promise<void> {
  requirePlausibleTimes(startedAt, endedAt, now);
  const deliveries = await listDeliveries(tx, utcDay(startedAt));
  const there = deliveries.filter(
    (each) => each.siteId === siteId && [null, each.id].includes(deliveryId),
  );
  if (there.length === 0 && deliveryId !== null) throw new Refusal("fleet/no-such-delivery");
  // A site without machines, or none: the row's own reference judges that.
  if (there.length === 0) return;
  const running = there.reduce((sum, { state, nameplateGhs }) => {
    if (!state) return sum;
    const each = state.measuredGhs < nameplateGhs ? state.measuredGhs : nameplateGhs;
    return sum + each * BigInt(state.machines);
  }, 0n);
  if (lostGhs > running) throw new Refusal("fleet/more-than-runs");
}

/** @throws Refusal `fleet/outage-in-the-future`, `fleet/outage-ends-before-it-starts` */
export function requirePlausibleTimes(startedAt: Date, endedAt: Date | null, now: Date): void {
  if (startedAt > now) throw new Refusal("fleet/outage-in-the-future");
  if (endedAt === null) return;
  if (endedAt < startedAt) throw new Refusal("fleet/outage-ends-before-it-starts");
  if (endedAt > now) throw new Refusal("fleet/end-in-the-future");
}
