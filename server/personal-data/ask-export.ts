import { randomUUIDv7 } from "node:crypto";
import { and, eq, ne } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { dataExports } from "./schema.ts";

/** Each reads all tables. */
const exportsByCustomer: Limit = { purpose: "data-export", max: 5, windowMinutes: 1440 };

/** A copy that is being made for longer has failed in some way: another may be asked for. */
const patienceMs = 3_600_000;

/**
 * Has a copy made of everything that is kept about a customer. One at a time: while one is being made, asking again
 * changes nothing; one that is ready is replaced. Enqueues `personal-data/make-export`.
 *
 * @throws TooManyAttempts
 */
export async function askExport(
  db: Db,
  asked: { customerId: string; browser: Browser; now: Date },
): Promise<{ exportId: string }> {
  const { customerId, browser, now } = asked;
  return db.transaction(async (tx) => {
    await lockCustomer(tx, customerId);
    const isLive = and(eq(dataExports.customerId, customerId), ne(dataExports.state, "ended"));
    const [live] = await tx.select().from(dataExports).where(isLive);
    const isUnderWay =
      live?.state === "asked" && now.getTime() - live.askedAt.getTime() < patienceMs;
    if (isUnderWay) return { exportId: live.id };
    await countAttempt(tx, exportsByCustomer, customerId, now);
    await tx.update(dataExports).set({ state: "ended", endedAt: now, secret: null }).where(isLive);
    const exportId = randomUUIDv7();
    await tx.insert(dataExports).values({ id: exportId, customerId, askedAt: now });
    await enqueue(tx, "personal-data/make-export", { exportId }, { key: `export:${exportId}` });
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "data-export-asked",
      by: "self",
      ...browser,
      now,
    });
    return { exportId };
  });
}
