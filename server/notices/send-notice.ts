import { randomUUIDv7 } from "node:crypto";
import { amountInWords, formatUsdMicros } from "#core/money.ts";
import { noticeEvents } from "#core/notice-events.ts";
import { formatDay } from "#core/utc-day.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import { isMuted } from "../identity/settings/choose-notices.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import { noticePriority, type RenderedMail } from "../platform/mail/mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { adjustmentMail } from "./adjustment-mail.ts";
import { depositMail } from "./deposit-mail.ts";
import { endingMail } from "./ending-mail.ts";
import { miningMail } from "./mining-mail.ts";
import { amountFields, type Notice, noticeKey, noticePath } from "./notice.ts";
import { notices } from "./schema.ts";
import { withdrawalMail } from "./withdrawal-mail.ts";

/** Tells a customer something in his account and by mail, if the caller's transaction commits. Enqueues `notices/send`. */
export async function sendNoticeLater(
  tx: Tx,
  { customerId, notice }: { customerId: string; notice: Notice },
): Promise<void> {
  await enqueue(
    tx,
    "notices/send",
    { customerId, notice: write(notice) },
    { key: noticeKey(notice), priority: noticePriority },
  );
}

/**
 * Writes a notice into its customer's account, and queues its mail; each once, however often the job runs. No mail about
 * what he has muted.
 */
export async function sendNotice(
  db: Db,
  job: { customerId: string; notice: string; site: Site; now: Date },
): Promise<void> {
  const { customerId, site, now } = job;
  const notice = read(job.notice);
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new Error(`no customer ${customerId}`);
  const event = noticeEvents.find((each) => each === notice.kind);
  const wantsMail = !(event && (await isMuted(db, customerId, event)));
  const content = mailOf(site, customer.firstName, notice);
  const key = noticeKey(notice);
  await db.transaction(async (tx) => {
    await tx
      .insert(notices)
      .values({
        id: randomUUIDv7(),
        customerId,
        key,
        kind: notice.kind,
        title: content.subject,
        body: noticeBody(notice) ?? content.preview,
        path: noticePath(notice),
        createdAt: now,
      })
      .onConflictDoNothing({ target: notices.key });
    if (wantsMail) {
      const mail = { to: customer.email, userId: customerId, now, content, key };
      await queueMail(tx, { ...mail, isNotice: true });
    }
  });
}

function read(text: string): Notice {
  const asWritten = (name: string, value: unknown) =>
    amountFields.has(name) && value !== null ? BigInt(value as string) : value;
  return JSON.parse(text, asWritten) as Notice;
}

function write(notice: Notice): string {
  return JSON.stringify(notice, (_name, value) => (typeof value === "bigint" ? `${value}` : value));
}

function mailOf(site: Site, firstName: string, notice: Notice): RenderedMail {
  if ("depositId" in notice) return depositMail(site, firstName, notice);
  if ("withdrawalId" in notice) return withdrawalMail(site, firstName, notice);
  if (notice.kind === "contract-ending") return endingMail(site, firstName, notice);
  if ("adjustmentId" in notice) return adjustmentMail(site, firstName, notice);
  return miningMail(site, firstName, notice);
}

/**
 * What a notice says in the account, where it is read for years: words that stay true when its days are past. Null: it says
 * what its mail's preview says.
 */
function noticeBody(notice: Notice): string | null {
  switch (notice.kind) {
    case "contract-bought":
      return `First day ${formatDay(notice.startsOn)}, planned last day ${formatDay(notice.plannedLastDay)} (UTC).`;
    case "contract-ending":
      return `Its last day: ${formatDay(notice.lastDay)} (UTC). You can order again from its page.`;
    case "contract-ended":
      return `Its last day was ${formatDay(notice.lastDay)} (UTC).`;
    case "deposit-received":
      return "Received, for review by our staff.";
    case "deposit-approved":
    case "deposit-credited":
      return `${amountInWords(notice.units, notice.asset)} was credited to your balance.`;
    case "mining-digest":
      return `After maintenance: ${signed(notice.creditSats - notice.feeSats)}.`;
    case "maintenance-change":
      return `${aDay(notice.toUsdMicros)} from ${formatDay(notice.effectiveFrom)}, ${aDay(notice.fromUsdMicros)} until then.`;
    default:
      return null;
  }
}

/** With the sign of mathematics, as on every page. */
function signed(sats: bigint): string {
  return amountInWords(sats, "BTC").replace(/^-/, "−");
}

function aDay(usdMicros: bigint): string {
  return `${formatUsdMicros(usdMicros, 4)} per TH/s per day`;
}
