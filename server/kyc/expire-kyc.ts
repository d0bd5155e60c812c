import { and, asc, eq, gt, lte } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Db } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import type { Site } from "../platform/mail/layout.ts";
import { expiredMail } from "./mails.ts";
import { tellCustomer } from "./review.ts";
import { kycSubmissions } from "./schema.ts";

/** Writes down which approvals hold no longer, and tells their customers. One transaction for each. */
export async function expireKyc(db: Db, site: Site, now: Date): Promise<void> {
  const over = and(eq(kycSubmissions.state, "approved"), lte(kycSubmissions.validUntil, now));
  const listDue = (after: string) =>
    db
      .select({ id: kycSubmissions.id })
      .from(kycSubmissions)
      .where(and(over, gt(kycSubmissions.id, after)))
      .orderBy(asc(kycSubmissions.id))
      .limit(500);
  await runEach(inPages(listDue), ({ id }) =>
    db.transaction(async (tx) => {
      const [expired] = await tx
        .update(kycSubmissions)
        .set({ state: "expired", expiredAt: now })
        .where(and(eq(kycSubmissions.id, id), over))
        .returning({ customerId: kycSubmissions.customerId });
      if (!expired) return;
      const { customerId } = expired;
      const event = "kyc-expired";
      await recordAccountEvent(tx, { userId: customerId, event, by: "system", now });
      await tellCustomer(tx, { id, customerId }, (name) => expiredMail(site, name), now);
    }),
  );
}
