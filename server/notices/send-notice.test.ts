import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { countUnreadNotices } from "./count-unread-notices.ts";
import { depositMail } from "./deposit-mail.ts";
import { listNotices } from "./list-notices.ts";
import { markNoticesRead } from "./mark-notices-read.ts";
import { type Notice, noticeKey } from "./notice.ts";
import { sendNotice, sendNoticeLater } from "./send-notice.ts";

const { db, owner } = await testDatabase();
const customer = await createTestCustomer(db);
const deposit = { depositId: randomUUID(), method: "Bitcoin", usdCents: 125_050n };

/** Does what the worker does with the job, twice. */
async function told(notice: Notice) {
  await db.transaction((tx) => sendNoticeLater(tx, { customerId: customer.id, notice }));
  const { rows } = await owner.query(
    "select payload from graphile_worker._private_jobs where key = $1",
    [noticeKey(notice)],
  );
  const job = { ...rows[0].payload, site: testSite, now: new Date() };
  await sendNotice(db, job);
  await sendNotice(db, job);
  const mails = await owner.query("select * from mails where template = $1", [notice.kind]);
  expect(mails.rows).toHaveLength(1);
  return mails.rows[0];
}

test("tells that a slip was received", async () => {
  const mail = await told({ kind: "deposit-received", ...deposit });
  expect(mail).toMatchObject({
    recipient: customer.email,
    user_id: customer.id,
    subject: "We received your payment slip for $1,250.50",
    holds_link: false,
  });
  expect(mail.body_text).toContain(`${testSite.appUrl}/account/deposit/${deposit.depositId}`);
});

test("tells what was credited, to the last digit", async () => {
  const units = 123_456_789_012_345_678n;
  const mail = await told({ kind: "deposit-approved", ...deposit, asset: "ETH", units });
  expect(mail.subject).toBe("Your deposit is approved: 0.123456789012345678 ETH");
  expect(mail.body_html).toContain("0.123456789012345678 ETH");
});

test("tells what a payment credited, also before it has a value, and that its block left the chain", async () => {
  const payment = {
    depositId: randomUUID(),
    method: "Bitcoin",
    asset: "BTC" as const,
    units: 250_000n,
    txid: "ab".repeat(32),
  };
  const credited = await told({ kind: "deposit-credited", ...payment, usdCents: null });
  expect(credited.subject).toBe("Your payment is credited: 0.00250000 BTC");
  expect(credited.body_text).toContain("Not valued yet");
  const back = await told({ kind: "deposit-reversed", ...payment });
  expect(back.subject).toBe("A credit was reversed: 0.00250000 BTC");
  const due = await told({ kind: "deposit-orphaned", ...payment });
  expect(due.body_text).toContain("We put aside what was left");
  const mistake = { because: "mistake", reason: "It was <b>6,500</b>." } as const;
  const wrong = depositMail(testSite, "Ada", {
    kind: "deposit-reversed",
    ...payment,
    ...mistake,
  }).write(null);
  expect(wrong.text).toContain("approved one of your deposits by mistake");
  expect(wrong.text).toContain(mistake.reason);
});

test("tells why a deposit was rejected, as text whatever it holds", async () => {
  const reason = "The slip shows <b>another</b> amount";
  const mail = await told({ kind: "deposit-rejected", ...deposit, reason });
  expect(mail.body_text).toContain(reason);
  expect(mail.body_html).toContain("&lt;b&gt;another&lt;/b&gt;");
});

test("tells what the operator gave of his own money, and what he took back, with the reason", async () => {
  const gift = {
    adjustmentId: randomUUID(),
    transferId: randomUUID(),
    asset: "BTC" as const,
    units: 4_000n,
    reason: "Your payout came a day late",
  };
  const given = await told({ kind: "adjustment-posted", gift: "goodwill", ...gift });
  expect(given.subject).toBe("0.00004000 BTC credited: goodwill from the operator");
  expect(given.body_text).toContain(gift.reason);
  expect(given.body_text).toContain(`${testSite.appUrl}/account/evidence/${gift.transferId}`);
  const back = await told({ kind: "adjustment-reversed", ...gift });
  expect(back.subject).toContain("was reversed");
});

test("tells nothing when the act is undone", async () => {
  const depositId = randomUUID();
  const notice: Notice = { kind: "deposit-received", ...deposit, depositId };
  const undone = db.transaction(async (tx) => {
    await sendNoticeLater(tx, { customerId: customer.id, notice });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const { rowCount } = await owner.query(
    "select from graphile_worker._private_jobs where key like $1",
    [`%${depositId}`],
  );
  expect(rowCount).toBe(0);
});

test("keeps in the account what was told, once, also what is muted as mail, until it is read", async () => {
  const reader = await createTestCustomer(db);
  const other = await createTestCustomer(db);
  await db.execute(sql`insert into muted_notices values (${reader.id}, 'deposit-received', now())`);
  const contractId = randomUUID();
  const back = { contractId, plan: "Start", quantity: 2, asset: "BTC", units: 1_000n } as const;
  const told: Notice[] = [
    { kind: "deposit-received", ...deposit, depositId: randomUUID() },
    { kind: "contract-given-back", ...back },
  ];
  for (const notice of told) {
    await db.transaction((tx) => sendNoticeLater(tx, { customerId: reader.id, notice }));
    const { rows } = await owner.query(
      "select payload from graphile_worker._private_jobs where key = $1",
      [noticeKey(notice)],
    );
    for (const _ of [1, 2]) {
      await sendNotice(db, { ...rows[0].payload, site: testSite, now: new Date() });
    }
  }
  const mails = await owner.query(
    "select template from mails join mail_keys using (id) where key = any ($1)",
    [told.map(noticeKey)],
  );
  expect(mails.rows).toEqual([{ template: "contract-given-back" }]);
  const listed = await listNotices(db, reader.id, { limit: 10 });
  expect(listed).toMatchObject([
    { title: "Refunded: 2 × Start", path: `/account/mining/${contractId}`, isRead: false },
    { title: "We received your payment slip for $1,250.50", isRead: false },
  ]);
  const [newest, oldest] = listed.map(({ id }) => id);
  const upTo = oldest ?? "";
  await markNoticesRead(db, { customerId: other.id, upTo: newest ?? "" }, new Date());
  expect(await countUnreadNotices(db, reader.id)).toBe(2);
  await markNoticesRead(db, { customerId: reader.id, upTo }, new Date());
  await markNoticesRead(db, { customerId: reader.id, upTo }, new Date());
  expect(await countUnreadNotices(db, reader.id)).toBe(1);
  expect(await listNotices(db, other.id, { limit: 10 })).toEqual([]);
  const rewrite = owner.query("update notices set title = 'x' where id = $1", [newest]);
  await expect(rewrite).rejects.toMatchObject({ constraint: "notices_are_never_rewritten" });
});

test("reminds of a contract that ends with the same order, and says in the account what stays true", async () => {
  const contractId = randomUUID();
  const ending = {
    kind: "contract-ending" as const,
    contractId,
    plan: "Month",
    slug: "month",
    quantity: 60,
    coin: "BTC" as const,
    lastDay: "2026-05-31",
  };
  const mail = await told(ending);
  expect(mail.subject).toBe("60 × Month ends on 31 May 2026");
  expect(mail.body_text).toContain(
    `${testSite.appUrl}/account/mining/buy?plan=month&units=60&coin=BTC`,
  );
  const [newest] = await listNotices(db, customer.id, { limit: 1 });
  expect(newest?.body).toContain("Its last day: 31 May 2026 (UTC)");
  expect(newest).toMatchObject({ path: `/account/mining/${contractId}`, isUrgent: false });
});

test("a rejection is urgent, and a receipt is not", async () => {
  await told({
    kind: "withdrawal-rejected",
    withdrawalId: randomUUID(),
    units: 70_000n,
    address: "bc1q",
    reason: "The address belongs to an exchange that closed",
  });
  const [newest] = await listNotices(db, customer.id, { limit: 1 });
  expect(newest?.isUrgent).toBe(true);
});
