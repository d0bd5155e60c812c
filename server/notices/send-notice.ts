import { noticeEvents } from "#core/notice-events.ts";
import { isMuted } from "../identity/choose-notices.ts";
import { findCustomer } from "../identity/queries.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { depositMail } from "./deposit-mail.ts";
import { maintenanceMail } from "./maintenance-mail.ts";
import { type Notice, noticeKey } from "./notice.ts";

/** Tells a customer something by mail, if the caller's transaction commits. Enqueues `notices/send`. */
export async function sendNoticeLater(
  tx: Tx,
  { customerId, notice }: { customerId: string; notice: Notice },
): Promise<void> {
  await enqueue(
    tx,
    "notices/send",
    { customerId, notice: write(notice) },
    { key: noticeKey(notice, customerId) },
  );
}

/** Writes the mail of a notice and queues it, once however often the job runs; none about what its customer has muted. */
export async function sendNotice(
  db: Db,
  job: { customerId: string; notice: string; site: Site; now: Date },
): Promise<void> {
  const { customerId, site, now } = job;
  const notice = read(job.notice);
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new Error(`no customer ${customerId}`);
  const event = noticeEvents.find((each) => each === notice.kind);
  if (event && (await isMuted(db, customerId, event))) return;
  const content =
    "changeId" in notice
      ? maintenanceMail(site, customer.firstName, notice)
      : depositMail(site, customer.firstName, notice);
  const key = noticeKey(notice, customerId);
  const mail = { to: customer.email, userId: customerId, now, content, key };
  await db.transaction((tx) => queueMail(tx, mail));
}

/** JSON has no bigint: amounts travel as decimal strings, marked as what they are. */
function write(notice: Notice): string {
  return JSON.stringify(notice, (_name, value) =>
    typeof value === "bigint" ? { bigint: `${value}` } : value,
  );
}

function read(text: string): Notice {
  return JSON.parse(text, (name, value) => {
    if (typeof value?.bigint === "string") return BigInt(value.bigint);
    // As jobs that wait from before were written.
    const isOlder = typeof value === "string" && (name === "usdCents" || name === "units");
    return isOlder ? BigInt(value) : value;
  });
}
