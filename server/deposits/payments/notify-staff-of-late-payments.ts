import { may } from "#core/permissions.ts";
import { utcDay } from "#core/utc-day.ts";
import { findUncredited } from "../../chain/list-payments-to-settle.ts";
import { listStaff } from "../../identity/staff/list-staff.ts";
import type { Config } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";

/** The job that mails staff about confirmed payments that are not credited. */
export const tellOfLateJob = "deposits/notify-staff-of-late-payments";

/** A confirmed payment is credited within a minute; after hours people have to look. Counted from its block, which waits for its confirmations first. */
export const lateAfterMs = 3 * 3_600_000;

interface Told {
  config: Pick<Config, "confirmations">;
  site: Site;
  now: Date;
}

/** Mails staff who see chains that confirmed payments wait and have not been credited, each of them once a day. */
export async function notifyStaffOfLatePayments(
  db: Db,
  { config, site, now }: Told,
): Promise<void> {
  const { count, oldestAt } = await findUncredited(db, config.confirmations);
  if (!oldestAt || now.getTime() - oldestAt.getTime() <= lateAfterMs) return;
  const staff = await listStaff(db);
  const hours = Math.floor((now.getTime() - oldestAt.getTime()) / 3_600_000);
  const content = lateMail(site, { count, hours });
  await db.transaction(async (tx) => {
    for (const { id, email, role, state } of staff) {
      if (state !== "active" || !may(role, "chain/read")) continue;
      const key = `late-payments:${utcDay(now)}:${id}`;
      await queueMail(tx, { to: email, userId: id, content, key, now });
    }
  });
}

function lateMail(site: Site, { count, hours }: { count: number; hours: number }): RenderedMail {
  const payments = count === 1 ? "1 confirmed payment" : `${count} confirmed payments`;
  return renderMail(site, {
    template: "payments-not-credited",
    subject: `${payments} not credited`,
    preview: `The oldest has been in a block for ${hours} hours.`,
    headline: `${payments} not credited`,
    band: actionNeeded,
    greeting: "Hello,",
    figure: ["Oldest in a block for", `${hours} hours`],
    paragraphs: [
      `${payments} to customers' addresses ${count === 1 ? "has" : "have"} not been credited.`,
      "The page Chain shows each with its reason. Two people decide how such a payment ends: it is credited, it was the operator's own, or it is set aside.",
    ],
    action: { label: "See the payments", url: `${site.appUrl}/operator/chain` },
    because: `You get this because you are on the staff of ${site.siteName}.`,
  });
}
