import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listAccountHistory } from "#server/identity/account/list-account-history.ts";
import { personalTables } from "#server/personal-data/personal-tables.ts";
import { sql } from "#server/platform/sql.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { eraseWordsAbout } from "./erase-words-about.ts";
import { liftFlag } from "./lift-flag.ts";
import { listEndedFlags, listStandingFlags } from "./list-flags.ts";
import { listNotes } from "./list-notes.ts";
import { raiseFlag } from "./raise-flag.ts";
import { writeNote } from "./write-note.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-11-21T12:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const sam = await createTestOperator(db, { role: "support" });
const amir = await createTestOperator(db, { role: "approver" });

const flagOf = (customerId: string) => ({
  customerId,
  kind: "look-closer-at-deposits" as const,
  reason: "Two slips alike",
  days: 7,
});

test("a note is kept with its author, and its words stand in no other place", async () => {
  const ada = await createTestCustomer(db);
  const body = `Called about ${randomUUID()}`;
  const note = { noteId: randomUUID(), customerId: ada.id, body: ` ${body}\0 ` };
  // The same form twice at once is one note.
  await Promise.all([writeNote(db, sam, note, now), writeNote(db, sam, note, now)]);
  for (const otherwise of [
    { body: "Other words" },
    { customerId: (await createTestCustomer(db)).id },
  ]) {
    await expect(writeNote(db, sam, { ...note, ...otherwise }, now)).rejects.toThrow(
      "platform/sent-otherwise",
    );
  }
  expect(await listNotes(db, ada.id, 10)).toMatchObject([{ body, author: "Grace Hopper" }]);
  const { rows } = await owner.query("select detail from audit_log where customer_id = $1", [
    ada.id,
  ]);
  expect(rows).toEqual([{ detail: {} }]);
  // Nor does the customer see that there is one.
  const { entries } = await listAccountHistory(db, ada.id, { page: 1, show: 10 });
  expect(entries.map(({ what }) => what)).toEqual(["registered"]);
  await expect(
    writeNote(db, sam, { noteId: randomUUID(), customerId: ada.id, body: " " }, now),
  ).rejects.toThrow("staff-notes/words-missing");
});

test("a flag stands until its end, once of its kind also when two raise it, and is lifted once", async () => {
  const ada = await createTestCustomer(db);
  const raised = await Promise.allSettled(
    [sam, amir].map((operator) => raiseFlag(db, operator, flagOf(ada.id), now)),
  );
  expect(raised.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [flag] = await listStandingFlags(db, ada.id, now);
  expect(await listStandingFlags(db, ada.id, later(7))).toEqual([]);
  expect(await listEndedFlags(db, ada.id, later(7), 10)).toHaveLength(1);
  const lift = { customerId: ada.id, flagId: flag?.id ?? "" };
  await expect(liftFlag(db, sam, lift, now)).rejects.toThrow("identity/not-permitted");
  await Promise.all([liftFlag(db, amir, lift, now), liftFlag(db, amir, lift, now)]);
  expect(await listStandingFlags(db, ada.id, now)).toEqual([]);
  await raiseFlag(db, sam, flagOf(ada.id), now);
  const { rows } = await owner.query(
    "select count(*)::int as lifts from audit_log where customer_id = $1 and act = 'staff-notes/lift-flag'",
    [ada.id],
  );
  expect(rows[0].lifts).toBe(1);
});

test("a copy of a customer's data has every note, and a flag only once it is over", async () => {
  const ada = await createTestCustomer(db);
  await writeNote(db, sam, { noteId: randomUUID(), customerId: ada.id, body: "Prefers mail" }, now);
  await raiseFlag(db, sam, flagOf(ada.id), new Date());
  const exported = async (table: "staff_notes" | "customer_flags" | "audit_log") => {
    const subject = { id: ada.id, email: ada.email, emailVerified: true };
    const wanted = personalTables[table]?.rows(subject);
    // The same rows that the archive is written from.
    const { rows } = await db.execute<{ act?: string }>(
      sql`select * from ${sql.identifier(table)} where ${wanted}`,
    );
    return rows;
  };
  expect(await exported("staff_notes")).toHaveLength(1);
  expect(await exported("customer_flags")).toHaveLength(0);
  expect((await exported("audit_log")).map(({ act }) => act)).toEqual(["staff-notes/write-note"]);
  const [flag] = await listStandingFlags(db, ada.id, new Date());
  await liftFlag(db, amir, { customerId: ada.id, flagId: flag?.id ?? "" }, new Date());
  expect(await exported("customer_flags")).toHaveLength(1);
});

test("what staff wrote is rewritten by nobody, comes from an act, and goes with the account only", async () => {
  const ada = await createTestCustomer(db);
  await writeNote(db, sam, { noteId: randomUUID(), customerId: ada.id, body: "First" }, now);
  await raiseFlag(db, sam, flagOf(ada.id), now);
  const forged = db.$client.query(
    `insert into staff_notes (id, customer_id, body, written_by, written_by_act, written_at)
     select gen_random_uuid(), $1, 'x', $2, id, now() from audit_log where customer_id = $1 and act like '%flag' limit 1`,
    [ada.id, sam.id],
  );
  await expect(forged).rejects.toMatchObject({ constraint: "staff_words_are_staff_acts" });
  await expect(owner.query("update staff_notes set body = 'y'")).rejects.toMatchObject({
    constraint: "notes_are_never_rewritten",
  });
  await expect(
    owner.query("update customer_flags set ends_at = now() + interval '90 days'"),
  ).rejects.toMatchObject({ constraint: "flags_are_lifted_once" });
  const erase = () => db.transaction((tx) => eraseWordsAbout(tx, ada.id));
  await expect(erase()).rejects.toMatchObject({
    cause: { constraint: "staff_words_go_with_the_account" },
  });
  await owner.query("update customers set closed_at = now() where id = $1", [ada.id]);
  await erase();
  expect(await listNotes(db, ada.id, 10)).toEqual([]);
  expect(await listEndedFlags(db, ada.id, later(99), 10)).toEqual([]);
});
