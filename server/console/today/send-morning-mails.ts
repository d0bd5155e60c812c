import { formatMoment, utcDay } from "#core/utc-day.ts";
import { listMorningReaders } from "#server/identity/settings/choose-morning-mail.ts";
import type { Db } from "#server/platform/database.ts";
import { renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";
import { queueMail } from "#server/platform/mail/queue-mail.ts";
import { listWork } from "./list-work.ts";
import { mayDecide, sayWork, type Work, withoutOwn } from "./work.ts";

/** Mails each person of the staff what waits for them to decide, once a day, unless they switched it off or nothing does. */
export async function sendMorningMails(
  db: Db,
  { site, now }: { site: Site; now: Date },
): Promise<void> {
  const work = await listWork(db, now);
  for (const { id, email, firstName, role } of await listMorningReaders(db)) {
    const due = work
      .filter((each) => mayDecide({ id, role }, each))
      .flatMap((each) => withoutOwn(each, id) ?? []);
    if (due.length === 0) continue;
    due.sort((a, b) => a.oldestAt.getTime() - b.oldestAt.getTime());
    const content = morningMail(site, { firstName, due });
    const key = `morning:${utcDay(now)}:${id}`;
    await db.transaction((tx) => queueMail(tx, { to: email, userId: id, content, key, now }));
  }
}

interface Morning {
  firstName: string;
  due: Work[];
}

function morningMail(site: Site, { firstName, due }: Morning): RenderedMail {
  const things = due.reduce((sum, { count }) => sum + count, 0);
  const waits = things === 1 ? "1 thing waits" : `${things} things wait`;
  return renderMail(site, {
    template: "morning",
    subject: `${waits} for you in the console`,
    preview: due.slice(0, 3).map(sayWork).join(", "),
    headline: `${waits} for you`,
    greeting: `Hello ${firstName},`,
    paragraphs: ["The oldest comes first. You decide these, or one of your colleagues."],
    facts: due.map((each) => [sayWork(each), `since ${formatMoment(each.oldestAt)}`]),
    action: { label: "Open Today", url: `${site.appUrl}/operator` },
    because:
      "You get this at 07:00 UTC on days on which something waits for you. You can switch it off under Security.",
  });
}
