import type { Coin } from "#core/asset.ts";
import { isMuted } from "../identity/choose-notices.ts";
import { findCustomer } from "../identity/queries.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { depositMail } from "./deposit-mail.ts";
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
    { key: noticeKey(notice) },
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
  if (await isMuted(db, customerId, notice.kind)) return;
  const content = depositMail(site, customer.firstName, notice);
  const mail = { to: customer.email, userId: customerId, now, content, key: noticeKey(notice) };
  await db.transaction((tx) => queueMail(tx, mail));
}

/** JSON has no bigint: amounts travel as decimal strings. */
function write(notice: Notice): string {
  return JSON.stringify(notice, (_name, value) => (typeof value === "bigint" ? `${value}` : value));
}

function read(text: string): Notice {
  const { usdCents, units, ...rest } = JSON.parse(text) as {
    kind: "deposit-approved";
    depositId: string;
    method: string;
    asset: Coin;
    usdCents: string;
    units?: string;
  };
  const amounts = {
    usdCents: BigInt(usdCents),
    ...(units !== undefined && { units: BigInt(units) }),
  };
  return { ...rest, ...amounts } as Notice;
}
