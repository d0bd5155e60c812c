import { expect, test } from "vitest";
import { isSensitive, type Permission, permissions } from "#core/permissions.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsOperator } from "./act-as-operator.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");

test("writes who did what to whom, and hands the row's id to the act", async () => {
  const operator = await createTestOperator(db);
  const customer = await createTestCustomer(db);
  const act = {
    act: "customers/read" as const,
    subject: "thing:1",
    customerId: customer.id,
    detail: { a: 1 },
    now,
  };
  const auditId = await actAsOperator(
    db,
    { ...operator, requestId: "r-1" },
    act,
    async (_tx, id) => id,
  );
  const { rows } = await owner.query("select * from audit_log where id = $1", [auditId]);
  expect(rows[0]).toMatchObject({
    act: "customers/read",
    operator_id: operator.id,
    customer_id: customer.id,
    subject: "thing:1",
    detail: { a: 1 },
    request_id: "r-1",
    occurred_at: now,
  });
});

test("leaves no row when the act fails", async () => {
  const operator = await createTestOperator(db);
  const act = { act: "jobs/retry" as const, subject: "thing:2", detail: {}, now };
  await expect(
    actAsOperator(db, operator, act, async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  const { rowCount } = await owner.query("select from audit_log where act = 'jobs/retry'");
  expect(rowCount).toBe(0);
});

test("refuses an operator who was suspended", async () => {
  const operator = await createTestOperator(db);
  await changeTestOperator(owner, operator.id, { state: "suspended" });
  const act = { act: "jobs/retry" as const, subject: "thing:3", detail: {}, now };
  await expect(actAsOperator(db, operator, act, async () => "done")).rejects.toMatchObject({
    code: "identity/operator-not-active",
  });
});

test("refuses an act that the operator's role lacks now, whatever it was when the page was opened", async () => {
  const operator = await createTestOperator(db);
  await changeTestOperator(owner, operator.id, { role: "auditor" });
  const act = { act: "mail/resend" as const, subject: "thing:4", detail: {}, now };
  await expect(actAsOperator(db, operator, act, async () => "done")).rejects.toMatchObject({
    code: "identity/not-permitted",
  });
  const { rowCount } = await owner.query("select from audit_log where subject = 'thing:4'");
  expect(rowCount).toBe(0);
});

const sensitive = (Object.keys(permissions) as Permission[]).filter(isSensitive);

test.each(sensitive)(
  "%s is refused eleven minutes after the second factor was shown",
  async (act) => {
    const operator = await createTestOperator(db);
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const about = { act, subject: "thing:5", detail: {}, now };
    const late = { ...operator, provedAt: minutesAgo(11.1) };
    await expect(actAsOperator(db, late, about, async () => "done")).rejects.toMatchObject({
      code: "identity/mfa-not-fresh",
    });
    const inTime = { ...operator, provedAt: minutesAgo(10) };
    expect(await actAsOperator(db, inTime, about, async () => "done")).toBe("done");
  },
);

test("what money, ways in, the company's words and people's data hang on is sensitive", () => {
  expect(sensitive).toEqual(
    expect.arrayContaining([
      "deposits/approve",
      "deposits/reject",
      "kyc/approve",
      "identity/freeze-account",
      "identity/reset-mfa",
      "identity/change-role",
      "content/publish",
      "console/export-audit-log",
    ]),
  );
});

test.each([
  "update audit_log set act = 'a/b'",
  "delete from audit_log",
  "truncate audit_log cascade",
])("cannot be rewritten, neither by the application nor by the owner: %s", async (statement) => {
  await createTestOperator(db);
  await expect(db.$client.query(statement)).rejects.toThrow("permission denied");
  await expect(owner.query(statement)).rejects.toThrow("the audit log only grows");
});

test("cannot be rewritten by a session that pretends to be a replica", async () => {
  await createTestOperator(db);
  const session = await owner.connect();
  try {
    await session.query("begin; set local session_replication_role = replica");
    await expect(session.query("delete from audit_log")).rejects.toThrow(
      "the audit log only grows",
    );
  } finally {
    await session.query("rollback");
    session.release();
  }
});
