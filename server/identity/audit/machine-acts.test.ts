import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readSchema } from "../../platform/database/schema-text.ts";
import { openDatabase } from "../../platform/database.ts";
import { openLog } from "../../platform/log/log.ts";
import { createOperator } from "../staff/create-operator.ts";
import { actAsSystem } from "./act-as-operator.ts";

const { db, owner, ownerUrl } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const person = { firstName: "Olga", lastName: "Prober", role: "owner" as const, now };

/** In tests factories act as the machine; here PostgreSQL refuses what it refuses in the product. */
beforeAll(async () => {
  for (const { sql } of readSchema().functions) await owner.query(sql);
});

const refused = { constraint: "only_the_server_acts_without_a_person" };
const insertAct =
  "insert into audit_log (id, act, subject, occurred_at) values ($1, $2, $3, now())";

test("the application's role does nothing without a person, whatever the act", async () => {
  for (const act of [
    "identity/invite-operator",
    "deposits/approve",
    "withdrawals/order-broadcast",
  ]) {
    const tried = db.$client.query(insertAct, [randomUUID(), act, "operator:1"]);
    await expect(tried, act).rejects.toMatchObject(refused);
  }
  const invented = { ...person, email: "thief@example.com", appUrl: testSite.appUrl };
  await expect(createOperator(db, invented)).rejects.toMatchObject({ cause: refused });
  expect((await owner.query("select from operators")).rowCount).toBe(0);
});

test("nor by a function or a trigger of its own, or in the name of a replica", async () => {
  const client = await db.$client.connect();
  try {
    await client.query("create temporary table mine (id uuid)");
    await client.query(`create function pg_temp.act() returns trigger language plpgsql as $$
      begin insert into audit_log (id, act, subject, occurred_at)
        values (new.id, 'identity/invite-operator', 'operator:1', now()); return new; end $$`);
    await client.query(
      "create trigger act before insert on mine for each row execute function pg_temp.act()",
    );
    const tried = client.query("insert into mine values ($1)", [randomUUID()]);
    await expect(tried).rejects.toMatchObject(refused);
  } finally {
    client.release(true);
  }
  await expect(db.$client.query("select guard_machine_act()")).rejects.toThrow("permission denied");
  const { rows } = await owner.query(
    "select tgenabled from pg_trigger where tgname = 'only_the_server_acts_without_a_person'",
  );
  expect(rows).toEqual([{ tgenabled: "A" }]);
});

test("the server's command does, with the owner's login, and only what is on its list", async () => {
  const ownersDb = openDatabase(ownerUrl, openLog("silent"), { connections: 1, as: "owner" });
  try {
    const wanted = { ...person, email: "olga@example.com", appUrl: testSite.appUrl };
    const { operatorId } = await createOperator(ownersDb, wanted);
    const { rows } = await db.$client.query("select role, state from operators where id = $1", [
      operatorId,
    ]);
    expect(rows).toEqual([{ role: "owner", state: "active" }]);
    const act = { act: "deposits/approve", subject: "deposit:1", detail: {}, now };
    await expect(actAsSystem(ownersDb, act, async () => {})).rejects.toMatchObject({
      cause: refused,
    });
  } finally {
    await ownersDb.$client.end();
  }
});
