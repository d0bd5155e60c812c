import { expect, test } from "vitest";
import {
  chooseMorningMail,
  getsMorningMail,
} from "#server/identity/settings/choose-morning-mail.ts";
import { proposeGift } from "#tests/factories/adjustment.ts";
import { createTestCustomer, testSite as site } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { sendMorningMails } from "./send-morning-mails.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const seven = new Date("2026-11-24T07:00:00Z");
const asked = new Date("2026-11-22T21:40:00Z");
const staff = (role: Parameters<typeof createTestOperator>[1] & object) =>
  createTestOperator(db, { canAct: true, ...role });
const grace = await staff({ role: "approver" });
const olga = await staff({ role: "owner", firstName: "Olga" });
const sam = await staff({ role: "support", firstName: "Sam" });
const tessa = await staff({ role: "treasurer" });
await createTestOperator(db, { role: "approver", email: "invited@example.com" });
const ada = await createTestCustomer(db);
await createTestDeposit(product, { customerId: ada.id, now: asked });

async function mailsTo(id: string): Promise<Array<{ subject: string; text: string }>> {
  const { rows } = await owner.query(
    "select subject, body_text as text from mails where user_id = $1 and template = 'morning' order by id",
    [id],
  );
  return rows;
}

test("in the morning each person reads what they may decide, since when, and nobody else is written to", async () => {
  await sendMorningMails(db, { site, now: seven });
  const [mail, ...others] = await mailsTo(grace.id);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("1 thing waits for you in the console");
  expect(mail?.text).toContain("1 deposit to review: since 22 Nov 2026, 21:40 UTC");
  expect(mail?.text).toContain(`${site.appUrl}/operator\n`);
  // They may read deposits, and decide none of them.
  for (const { id } of [sam, tessa]) expect(await mailsTo(id)).toEqual([]);
  const { rows } = await owner.query(
    "select 1 from mails where recipient = 'invited@example.com' and template = 'morning'",
  );
  expect(rows).toEqual([]);
});

test("once a day, however often the job runs, and again on the next", async () => {
  await sendMorningMails(db, { site, now: new Date(seven.getTime() + 20 * 60_000) });
  expect(await mailsTo(grace.id)).toHaveLength(1);
  await sendMorningMails(db, { site, now: new Date(seven.getTime() + 86_400_000) });
  expect(await mailsTo(grace.id)).toHaveLength(2);
});

test("what somebody proposed is not theirs to decide, and what comes in is told to who answers it", async () => {
  await proposeGift(product, olga, ada.id, { units: 1n });
  await createTestThread(db, { email: ada.email });
  const later = new Date(seven.getTime() + 2 * 86_400_000);
  await sendMorningMails(db, { site, now: later });
  expect((await mailsTo(grace.id)).at(-1)?.text).toContain("1 adjustment to approve");
  const olgas = (await mailsTo(olga.id)).at(-1)?.text;
  expect(olgas).not.toContain("adjustment");
  expect(olgas).toContain("1 message to answer");
  expect(await mailsTo(sam.id)).toMatchObject([
    { subject: "1 thing waits for you in the console" },
  ]);
});

test("who has switched it off gets none, and the account's history says so", async () => {
  const browser = { ipAddress: "192.0.2.1", userAgent: null };
  const choice = { operatorId: grace.id, isWanted: false, browser, now: seven };
  await chooseMorningMail(db, choice);
  await chooseMorningMail(db, choice);
  expect(await getsMorningMail(db, grace.id)).toBe(false);
  const before = await mailsTo(grace.id);
  await sendMorningMails(db, { site, now: new Date(seven.getTime() + 3 * 86_400_000) });
  expect(await mailsTo(grace.id)).toEqual(before);
  const { rows } = await owner.query(
    "select event, detail from account_events where user_id = $1 and event = 'notices-chosen'",
    [grace.id],
  );
  expect(rows).toEqual([{ event: "notices-chosen", detail: { morning: false } }]);
});

test("who is suspended, or whose role decides none of it any more, gets none", async () => {
  const [sue, theo] = [await staff({ role: "approver" }), await staff({ role: "approver" })];
  await changeTestOperator(owner, sue.id, { state: "suspended" });
  await changeTestOperator(owner, theo.id, { role: "content" });
  await sendMorningMails(db, { site, now: new Date(seven.getTime() + 4 * 86_400_000) });
  for (const { id } of [sue, theo]) expect(await mailsTo(id)).toEqual([]);
});
