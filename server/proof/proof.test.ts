import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { lastDayOf } from "#core/months.ts";
import { hashDay, textOfDay } from "#core/proof/day-digest.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { verifyClaims } from "#server/ledger/verify/verify-claims.ts";
import { sql } from "#server/platform/sql.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createFirstProofDay } from "#tests/factories/proof.ts";
import { aDeposit } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import { proofClaims } from "./claims.ts";
import { findCoveringDay, findFirstProofDay, listProofDays, listProofDaysOf } from "./list-days.ts";
import { publishProofDays } from "./publish-days.ts";

const { db, owner } = await testDatabase({ documents: false });
const other = await testDatabase();
const years = await testDatabase();
const grace = await createTestOperator(db);
const now = new Date();
const today = utcDay(now);
const noDigest = "0".repeat(64);

async function act(): Promise<void> {
  const each = { act: "mail/resend", subject: "mail:1", detail: {}, now } as const;
  await actAsOperator(db, { ...grace, requestId: "r-1" }, each, async () => {});
}

async function firstFault(write: string): Promise<string> {
  return owner.query(write).then(
    () => "nothing was refused",
    (error) => error.constraint ?? error.message,
  );
}

/** Reads netstrings; null: a missing one. */
function fieldsOf(text: string): (string | null)[] {
  const [, length] = /^(\d+):/.exec(text) ?? [];
  if (text === "") return [];
  if (!length) return [null, ...fieldsOf(text.slice(1))];
  const end = length.length + 1 + Number(length);
  return [text.slice(length.length + 1, end), ...fieldsOf(text.slice(end + 1))];
}

test("the texts of the document have the digests that it says", () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/proof.md"), "utf8");
  const examples = [...page.matchAll(/^- `(.+)`\n {2}has the digest `([0-9a-f]{64})`/gm)];
  expect(examples).toHaveLength(2);
  for (const [, text = "", digest = ""] of examples) {
    const names = page.matchAll(/^\| [\d to]+ \| (`[^|]+`) \|/gm);
    const fields = [...names].flatMap(([, each = ""]) => each.replaceAll("`", "").split(", "));
    expect(fields).toHaveLength(13);
    const [, ...values] = fieldsOf(text);
    const day = Object.fromEntries(fields.map((name, place) => [name, values[place]])) as never;
    expect(textOfDay(day)).toBe(text);
    expect(hashDay(day)).toBe(digest);
  }
});

test("the first digest is of the last day that is over, and stands on nothing where there is nothing", async () => {
  await publishProofDays(other.db);
  const [first, ...others] = await listProofDays(other.db);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ day: addDays(today, -1), previousDigest: noDigest });
  expect(first).toMatchObject({ sealNumber: null, sealHash: null, auditLink: null });
  expect(first && hashDay(first)).toBe(first?.digest);
});

test("days that were missed are made up for in their order, once, by whoever comes first", async () => {
  await createFirstProofDay(owner, 5);
  await postTransfer(db, aDeposit(randomUUID(), 5n));
  await sealTransfers(db, now);
  await act();
  await Promise.all(Array.from({ length: 8 }, () => publishProofDays(db)));
  const days = await listProofDays(db);
  expect(days.map(({ day }) => day)).toEqual([-1, -2, -3, -4, -5].map((n) => addDays(today, n)));
  for (const [place, day] of days.entries()) {
    expect(hashDay(day)).toBe(day.digest);
    expect(day.previousDigest).toBe(days[place + 1]?.digest ?? noDigest);
  }
  expect(days[0]).toMatchObject({ sealNumber: "1", auditLink: expect.any(String) });
  await publishProofDays(db);
  expect(await listProofDays(db)).toEqual(days);
});

test("a transfer is covered by the first day that stands on its seal, of those on which it was there", async () => {
  expect(await findCoveringDay(db, "2")).toBeNull();
  // Sealed today: the digest of yesterday, which was made up for just now, stands on it, but is of no day that had it.
  expect(await findCoveringDay(db, "1")).toBeNull();
});

const copyOf = (change: string) =>
  `insert into proof_days select (jsonb_populate_record(d, ${change})).* from proof_days d order by day desc limit 1`;
test.each([
  [
    "a rewritten digest",
    "update proof_days set digest = sha256('x')",
    "digests_are_never_rewritten",
  ],
  ["a digest that is gone", "delete from proof_days", "digests_are_never_rewritten"],
  ["all of them gone", "truncate proof_days", "digests_are_never_rewritten"],
  [
    "a day left out",
    copyOf("jsonb_build_object('day', d.day + 2)"),
    "days_have_their_digest_in_turn",
  ],
  [
    "a day that is not over",
    copyOf("jsonb_build_object('day', d.day + 1, 'previous_digest', d.digest)"),
    "digests_are_of_days_that_are_over",
  ],
])("the owner of the tables is refused %s", async (_, write, rule) => {
  expect(await firstFault(write)).toBe(rule);
});

test("the application's role writes no day", async () => {
  await expect(db.execute(sql`insert into proof_days select * from proof_days`)).rejects.toThrow();
});

async function faultsAfter(tampering: string): Promise<string[]> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query("alter table proof_days disable trigger user");
    await client.query("alter table ledger_seals disable trigger user");
    await client.query("alter table audit_chain disable trigger user");
    await client.query(tampering);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const inside = drizzle({ client });
    const planted = { transaction: (act: (tx: unknown) => unknown) => act(inside) } as never;
    return (await verifyClaims(planted, proofClaims)).flatMap(({ holds, detail }) =>
      holds ? [] : detail,
    );
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("nothing is wrong with days as they were written", async () => {
  expect(await faultsAfter("select 1")).toEqual([]);
});

test.each([
  ["a seal made anew", "update ledger_seals set hash = sha256('x')"],
  [
    "an act's link made anew",
    "update audit_chain set hash = sha256('x') where link = (select max(link) from audit_chain)",
  ],
  ["a seal that is gone", "delete from ledger_seals"],
  [
    "a digest of something else",
    "update proof_days set digest = sha256('x') where day = (select max(day) from proof_days)",
  ],
  [
    "a day that is gone",
    "delete from proof_days where day = (select min(day) + 1 from proof_days)",
  ],
  ["the first days gone", "delete from proof_days where day < (select max(day) from proof_days)"],
])("the verification finds %s", async (_, tampering) => {
  expect(await faultsAfter(tampering)).not.toEqual([]);
});

test("years that nothing ran are made up for in steps, and every month has its days", async () => {
  await createFirstProofDay(years.owner, 500);
  await publishProofDays(years.db);
  expect((await listProofDays(years.db))[0]?.day).toBe(addDays(today, -100));
  await publishProofDays(years.db);
  const newest = await listProofDays(years.db);
  expect(newest.map(({ day }) => day)).toEqual(
    Array.from({ length: 30 }, (_, n) => addDays(today, -1 - n)),
  );
  expect(await findFirstProofDay(years.db)).toBe(addDays(today, -500));
  const month = addDays(today, -300).slice(0, 7);
  const days = (await listProofDaysOf(years.db, month)).map(({ day }) => day);
  expect(days[0]).toBe(lastDayOf(month));
  expect(days.at(-1)).toBe(`${month}-01`);
});
