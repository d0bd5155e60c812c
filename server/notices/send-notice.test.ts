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

test("tells why a deposit was rejected, as text whatever it holds", async () => {
  const reason = "The slip shows <b>another</b> amount";
  const mail = await told({ kind: "deposit-rejected", ...deposit, reason });
  expect(mail.body_text).toContain(reason);
  expect(mail.body_html).toContain("&lt;b&gt;another&lt;/b&gt;");
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
