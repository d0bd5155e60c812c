import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import { createTestCustomer, nameAsBefore } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { exportAuditLog } from "./export-audit-log.ts";
import { listActsOnCustomer, listAuditChoices } from "./list-audit-choices.ts";
import { listAuditLog } from "./list-audit-log.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing" });
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });
const eve = await createTestCustomer(db);
await nameAsBefore(owner, eve.id, { firstName: "=HYPERLINK(1)", lastName: 'a "b", c' });

async function act(
  who: typeof grace,
  name: "deposits/approve" | "deposits/reject",
  customer: typeof ada,
  time: string,
) {
  const subject = `deposit:${randomUUID()}`;
  const detail = { cents: 125 };
  await actAsOperator(
    db,
    who,
    { act: name, subject, customerId: customer.id, detail, now: new Date(time) },
    async () => {},
  );
  return subject;
}

const first = await act(grace, "deposits/approve", ada, "2026-11-20T23:59:59.999Z");
const second = await act(alan, "deposits/reject", ada, "2026-11-21T00:00:00Z");
const third = await act(grace, "deposits/reject", eve, "2026-11-21T23:59:59.999Z");
const fourth = await act(alan, "deposits/approve", eve, "2026-11-22T00:00:00Z");

async function subjects(filter: Parameters<typeof listAuditLog>[1]) {
  const rows = await listAuditLog(db, filter, { limit: 50 });
  return rows.map((row) => row.subject).filter((subject) => subject.startsWith("deposit:"));
}

test("lists acts newest first, with who did what to whom", async () => {
  const [row] = await listAuditLog(db, { about: first }, { limit: 1 });
  expect(row).toMatchObject({
    act: "deposits/approve",
    operator: { id: grace.id, name: "Grace Hopper" },
    customer: { id: ada.id, name: "Ada Lovelace" },
    subject: first,
    detail: { cents: 125 },
    occurredAt: new Date("2026-11-20T23:59:59.999Z"),
  });
  expect(await subjects({})).toEqual([fourth, third, second, first]);
});

test("filters by operator, act, customer, words, and UTC day with both its ends", async () => {
  expect(await subjects({ operatorId: grace.id })).toEqual([third, first]);
  expect(await subjects({ act: "deposits/reject" })).toEqual([third, second]);
  expect(await subjects({ customerId: ada.id })).toEqual([second, first]);
  expect(await subjects({ about: "lovelace" })).toEqual([second, first]);
  expect(await subjects({ about: "%" })).toEqual([]);
  expect(await subjects({ from: "2026-11-21", until: "2026-11-21" })).toEqual([third, second]);
  expect(
    await subjects({
      from: "2026-11-21",
      until: "2026-11-21",
      operatorId: alan.id,
      act: "deposits/reject",
    }),
  ).toEqual([second]);
});

test("goes through the log page by page, each act once", async () => {
  const seen: string[] = [];
  let after: number | undefined;
  for (;;) {
    const rows = await listAuditLog(db, {}, { after, limit: 2 });
    if (rows.length === 0) break;
    seen.push(...rows.map((row) => row.subject));
    after = rows.at(-1)?.position;
  }
  expect(seen.filter((subject) => subject.startsWith("deposit:"))).toEqual([
    fourth,
    third,
    second,
    first,
  ]);
});

test("an act that a command on the server did has no operator", async () => {
  const rows = await listAuditLog(db, { about: "operator:" }, { limit: 50 });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map((row) => row.operator)).toEqual(rows.map(() => null));
});

test("offers every operator and every kind of act that happened", async () => {
  const { operators, acts } = await listAuditChoices(db);
  expect(operators.map(({ name }) => name)).toEqual(["Alan Turing", "Grace Hopper"]);
  expect(acts).toEqual([...acts].sort());
  expect(acts).toContain("deposits/approve");
  expect(acts).toContain("deposits/reject");
});

test("one customer's acts are that customer's alone", async () => {
  const rows = await listActsOnCustomer(db, eve.id, { limit: 10 });
  expect(rows.map((row) => row.subject)).toEqual([fourth, third]);
});

test("an export is text to a spreadsheet, and an act of its own", async () => {
  const now = new Date("2026-11-23T08:00:00Z");
  const csv = await exportAuditLog(db, grace, { customerId: eve.id }, now);
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  expect(head?.startsWith("\uFEFFtime (UTC),operator,act,")).toBe(true);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`,"'=HYPERLINK(1) a ""b"", c",${eve.id},${fourth},"{""cents"":125}",`);
  const [taken] = await listAuditLog(db, { act: "console/export-audit-log" }, { limit: 1 });
  expect(taken).toMatchObject({ operator: { id: grace.id }, detail: { customerId: eve.id } });
});
