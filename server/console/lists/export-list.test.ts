import { expect, test } from "vitest";
import { may, type OperatorRole, operatorRoles, permissions } from "#core/permissions.ts";
import { proposeGift } from "#tests/factories/adjustment.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { exportList } from "./export-list.ts";
import { type ListName, listFiles } from "./list-files.ts";

const { app, db, owner } = await testApp();
const now = new Date();
const grace = await createTestOperator(db, { canAct: true });
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });

async function read(list: ListName, filter: { state?: string; search?: string } = {}) {
  const asked = { list, filter: { state: "", kind: "", search: "", ...filter } };
  const csv = await exportList(db, grace, asked, now);
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  return { head: head?.split(",") ?? [], lines };
}

test("a list is taken away as its filters leave it, and that is an act of its own", async () => {
  const waits = await createTestDeposit(app, { customerId: ada.id });
  const done = await createTestDeposit(app, { customerId: ada.id, approvedBy: grace });
  const waiting = await read("deposits");
  expect(waiting.lines).toHaveLength(1);
  expect(waiting.lines[0]).toContain(`${waits.depositId},pending,Ada Lovelace,${ada.id}`);
  const approved = await read("deposits", { state: "approved" });
  expect(approved.lines).toHaveLength(1);
  expect(approved.lines[0]).toContain(`${done.depositId},approved,Ada Lovelace`);
  const { rows } = await owner.query(
    "select operator_id, subject, detail from audit_log where act = 'console/export-list' order by occurred_at, id",
  );
  expect(rows).toEqual(
    ["", "approved"].map((state) => ({
      operator_id: grace.id,
      subject: "list:deposits",
      detail: { state, kind: "", search: "" },
    })),
  );
});

test("every list has as many cells in a row as in its head", async () => {
  await proposeGift(app, grace, ada.id, { units: 1n });
  const poolId = await createTestPool(db, grace);
  await createTestPayout(db, grace, { poolId, day: "2026-01-02", units: 200_000_000n });
  for (const list of Object.keys(listFiles) as ListName[]) {
    const { head, lines } = await read(list);
    for (const line of lines) expect(cellsIn(line), `${list}: ${line}`).toBe(head.length);
  }
  expect((await read("adjustments")).lines).toHaveLength(1);
  expect((await read("payouts")).lines).toHaveLength(1);
});

test("whoever may take lists away may read each of them", () => {
  const takers: readonly OperatorRole[] = permissions["console/export-list"].roles;
  for (const [list, { reads }] of Object.entries(listFiles)) {
    const lacking = takers.filter((role) => !may(role, reads));
    expect(lacking, list).toEqual([]);
  }
});

test("nobody else takes a list away, though the list itself is theirs to read", async () => {
  const others = operatorRoles.filter((role) => !may(role, "console/export-list"));
  for (const role of others) {
    const colleague = await createTestOperator(db, { role });
    const asked = { list: "deposits" as const, filter: { state: "", kind: "", search: "" } };
    await expect(exportList(db, colleague, asked, now)).rejects.toMatchObject({
      code: "identity/not-permitted",
    });
  }
});

/** Commas outside of quotes, and one more. */
function cellsIn(line: string): number {
  return line.replace(/"(?:[^"]|"")*"/g, "").split(",").length;
}
