import { may } from "#core/permissions.ts";
import { sql } from "#server/platform/sql.ts";
import { listStaff } from "../../identity/staff/list-staff.ts";
import type { Db } from "../../platform/database.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { type CustomerApart, listCustomersApart } from "./list-customers-apart.ts";

const named = 10;

/** Mails staff who see mining days that customers could not be posted, once for each: many at a time are one mail. */
export async function notifyStaffOfCustomersApart(
  db: Db,
  { site, now }: { site: Site; now: Date },
): Promise<void> {
  const untold = await listCustomersApart(db, { untold: true, limit: 1000 });
  if (untold.length === 0) return;
  const staff = await listStaff(db);
  const content = apartMail(site, untold);
  await db.transaction(async (tx) => {
    for (const { id, email, role, state } of staff) {
      if (state !== "active" || !may(role, "mining/read")) continue;
      const key = `customers-apart:${now.toISOString()}:${id}`;
      await queueMail(tx, { to: email, userId: id, content, key, now });
    }
    const ids = sql`${`{${untold.map(({ customerId }) => customerId).join(",")}}`}::uuid[]`;
    const told = sql`told_at = ${now.toISOString()}::timestamptz`;
    await tx.execute(sql`
      update mining_chunks set ${told}
       where first_customer_id = any (${ids}) and set_apart_at is not null and posted_at is null and told_at is null`);
    await tx.execute(sql`
      update mining_failures set ${told} where customer_id = any (${ids}) and told_at is null`);
  });
}

function apartMail(site: Site, apart: CustomerApart[]): RenderedMail {
  const customers = new Set(apart.map(({ customerId }) => customerId)).size;
  const word = customers === 1 ? "1 customer" : `${customers} customers`;
  return renderMail(site, {
    template: "customers-set-apart",
    subject: `Mining: ${word} set apart after an error`,
    preview: "Everyone else was processed. We try again automatically.",
    headline: `We could not process ${word}`,
    band: actionNeeded,
    greeting: "Hello,",
    paragraphs: [
      "Everyone else was processed. What these customers earned is reserved for them, and their grace periods for unpaid maintenance are paused.",
      "We try again automatically, at first after 20 minutes and later once a day. Please find the cause: the error is here and in the console.",
    ],
    facts: apart
      .slice(0, named)
      .map(({ customerId, work, day, error }) => [
        `Customer ${customerId}`,
        `${day ? `${work} ${day}` : work}: ${error}`.slice(0, 300),
      ]),
    action: { label: "See the errors", url: `${site.appUrl}/operator/mining/contracts` },
    because: `You get this because you are on the staff of ${site.siteName}.`,
  });
}
