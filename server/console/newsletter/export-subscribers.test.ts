import { expect, test } from "vitest";
import { createTestSubscriber, createTestSubscription } from "#tests/factories/newsletter.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { exportSubscribers } from "./export-subscribers.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const now = new Date("2026-11-21T12:00:00Z");

test("an export holds the confirmed, is text to a spreadsheet, and is an act of its own", async () => {
  const hers = { email: "=cmd|a!b@example.com", source: "/faq", now };
  const { leavingToken } = await createTestSubscriber(db, hers);
  await createTestSubscription(db, { email: "pending@example.com", now });
  const csv = await exportSubscribers(db, grace, { appUrl: "https://assay.example", now });
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  expect(head).toBe(
    "\uFEFFe-mail,confirmed (UTC),asked (UTC),page,version of the consent,unsubscribe",
  );
  expect(lines).toEqual([
    `'=cmd|a!b@example.com,2026-11-21T12:00:00.000Z,2026-11-21T12:00:00.000Z,/faq,1,https://assay.example/newsletter/unsubscribe?token=${leavingToken}`,
  ]);
  const { rows } = await owner.query(
    "select act, operator_id, detail from audit_log where act = $1",
    ["console/export-subscribers"],
  );
  expect(rows).toEqual([
    { act: "console/export-subscribers", operator_id: grace.id, detail: { subscribers: 1 } },
  ]);
});
