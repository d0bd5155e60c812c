import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
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
    ...{ depositId: randomUUID(), method: "Bitcoin", asset: "BTC" as const },
    ...{ units: 250_000n, txid: "ab".repeat(32) },
  };
  const credited = await told({ kind: "deposit-credited", ...payment, usdCents: null });
  expect(credited.subject).toBe("Your payment is credited: 0.00250000 BTC");
  expect(credited.body_text).toContain("Not valued yet");
  const back = await told({ kind: "deposit-reversed", ...payment });
  expect(back.subject).toBe("A credit was taken back: 0.00250000 BTC");
  const due = await told({ kind: "deposit-orphaned", ...payment });
  expect(due.body_text).toContain("What was left is put aside");
});

test("tells why a deposit was rejected, as text whatever it holds", async () => {
  const reason = "The slip shows <b>another</b> amount";
  const mail = await told({ kind: "deposit-rejected", ...deposit, reason });
  expect(mail.body_text).toContain(reason);
  expect(mail.body_html).toContain("&lt;b&gt;another&lt;/b&gt;");
});

test("tells what the operator gave of his own money, and what he took back, with the reason", async () => {
  const gift = {
    ...{ adjustmentId: randomUUID(), transferId: randomUUID(), asset: "BTC" as const },
    ...{ units: 4_000n, reason: "Your payout came a day late" },
  };
  const given = await told({ kind: "adjustment-posted", gift: "goodwill", ...gift });
  expect(given.subject).toBe("0.00004000 BTC credited: goodwill from the operator");
  expect(given.body_text).toContain(gift.reason);
  expect(given.body_text).toContain(`${testSite.appUrl}/account/evidence/${gift.transferId}`);
  const back = await told({ kind: "adjustment-reversed", ...gift });
  expect(back.subject).toContain("was taken back");
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
