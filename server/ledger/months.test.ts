import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit, aHold } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findLedgerBegin } from "./find-ledger-begin.ts";
import { getBalances } from "./get-balances.ts";
import { listHouseBalances } from "./list-house-balances.ts";
import { listMovementTotals } from "./list-movement-totals.ts";
import { listStatement } from "./list-statement.ts";
import { openLedgerMonths } from "./open-ledger-months.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { reverseTransfer } from "./reverse-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";
import { verifyFrom } from "./verify/verify-since.ts";

const { db, owner } = await testDatabase({ documents: false });

/** One who moves in every month, one who never moves after the first. */
const mover = randomUUID();
const sleeper = randomUUID();
const january = aDeposit(mover, 1_000n, { day: "2025-01-10" });
const outMonths = ["2009-01-01", "2025-01-01", "2025-02-01"];
const months = ["2025-01-15", "2025-02-15", "2025-03-15"];

async function post(): Promise<string> {
  const [first, undone] = await postTransfers(db, [
    january,
    aDeposit(mover, 50n),
    aDeposit(sleeper, 500n),
    ...Array.from({ length: 12 }, (_, place) => aDeposit(mover, BigInt(place + 1))),
  ]);
  for (const day of months) {
    await openLedgerMonths(db, day);
    await postTransfer(db, aHold(mover, 10n));
    await postTransfer(db, aDeposit(mover, 7n, { asset: "ETH" }));
  }
  // Its own kind counts less for it, also once the month of what it undoes is out.
  const undo = { transferId: undone?.transferId ?? "", key: `test:${randomUUID()}`, memo: "" };
  await reverseTransfer(db, { ...undo, occurredAt: new Date() });
  return first?.transferId ?? "";
}

/** Everything posted so far is under seals that know it: not before the transactions of other tests have ended. */
async function sealAll(): Promise<void> {
  const isSealed = async () => {
    await postTransfer(db, aDeposit(mover, 1n));
    await sealTransfers(db, new Date(), { limit: 5 });
    const { rows } = await owner.query(
      "select max(complete_through) >= ledger_first_of('2025-03-01') as done from ledger_seals",
    );
    return rows[0].done;
  };
  await expect.poll(isSealed, { interval: 100 }).toBe(true);
}

async function wrong(): Promise<string[]> {
  const begin = await findLedgerBegin(db);
  const checks = begin > 0n ? await verifyFrom(db, begin, []) : await verifyLedger(db);
  return checks.filter(({ holds }) => !holds).map(({ claim, detail }) => `${claim}: ${detail}`);
}

async function whatIsSeen() {
  return {
    balances: [await getBalances(db, mover), await getBalances(db, sleeper)],
    totals: await listMovementTotals(db, mover, ["deposit", "hold"]),
    house: await listHouseBalances(db),
  };
}

const first = await post();

test("transfers are kept by the month they are posted in, and a seal is of one month", async () => {
  await sealAll();
  const { rows } = await owner.query(
    `select right(t.tableoid::regclass::text, 7) as part, count(*)::int as transfers, array_agg(distinct number / 10000000000)::int[] as months
       from ledger_transfers t group by 1 order by min(number)`,
  );
  expect(rows).toMatchObject([
    { part: "2009_01", transfers: 15, months: [200901] },
    { part: "2025_01", transfers: 2, months: [202501] },
    { part: "2025_02", transfers: 2, months: [202502] },
    { part: "2025_03", months: [202503] },
  ]);
  const { rows: mixed } = await owner.query(
    "select number from ledger_seals where lower(covers) / 10000000000 <> (upper(covers) - 1) / 10000000000",
  );
  expect(mixed).toEqual([]);
  expect(await wrong()).toEqual([]);
});

test("a month is never opened before its time, nor behind another", async () => {
  await openLedgerMonths(db, "2024-06-01");
  await openLedgerMonths(db, "9998-06-01");
  const { rows } = await owner.query(
    `select array_agg(month::text order by month) as months, max(month) <= (date_trunc('month', now()) + interval '1 month') as in_time,
            (select count(*) from pg_inherits where inhparent = 'ledger_transfers'::regclass)::int as parts
       from months where parent = 'ledger_transfers'`,
  );
  expect(rows[0]).toMatchObject({ in_time: true, parts: rows[0].months.length });
  expect(rows[0].months.slice(0, 2)).toEqual(["2009-01-01", "2025-01-01"]);
});

test("the owner of the tables cannot go around the guards by a month's own table", async () => {
  const attempts = [
    "delete from ledger_transfers_2025_01",
    "update ledger_entries_2025_02 set units = units + 1",
    "insert into ledger_entries_2025_02 select * from ledger_entries_2025_02 limit 1",
    "truncate ledger_entries_2009_01",
  ];
  for (const attempt of attempts) await expect(owner.query(attempt), attempt).rejects.toThrow();
});

test("months are taken out in turn; what is left goes on, verifies, and knows what there was", async () => {
  const before = await whatIsSeen();
  await expect(owner.query("call detach_ledger_month('2025-02-01')")).rejects.toMatchObject({
    constraint: "months_are_taken_out_in_turn",
  });
  for (const month of outMonths) {
    await owner.query(`call detach_ledger_month('${month}')`);
    expect(await whatIsSeen()).toEqual(before);
    expect(await wrong()).toEqual([]);
  }
  // Not the one that is written to.
  const { rows } = await owner.query(
    "select max(month)::text as month from months where parent = 'ledger_transfers'",
  );
  await expect(owner.query(`call detach_ledger_month('${rows[0].month}')`)).rejects.toThrow();

  const { lines } = await listStatement(db, mover, { limit: 100 });
  expect(lines.length).toBeGreaterThan(2);
  expect((await listStatement(db, sleeper, { limit: 100 })).lines).toEqual([]);
  await expect(owner.query("delete from ledger_transfers_2025_01")).rejects.toThrow();

  // A key stays used, and what is not here is not mirrored.
  await expect(postTransfer(db, january)).rejects.toThrow();
  await expect(postTransfers(db, [january])).rejects.toThrow();
  await expect(
    reverseTransfer(db, {
      transferId: first,
      key: `test:${randomUUID()}`,
      occurredAt: new Date(),
      memo: "",
    }),
  ).rejects.toThrow();
  await postTransfer(db, aHold(mover, 3n));
  await postTransfer(db, aDeposit(sleeper, 5n));
  expect(await wrong()).toEqual([]);
});

test.each([
  [
    "where accounts stood",
    "update ledger_openings set balance = balance + 1",
    "update ledger_openings set balance = balance - 1",
  ],
  [
    "what had moved them",
    "update ledger_opening_totals set units = units + 1",
    "update ledger_opening_totals set units = units - 1",
  ],
  [
    "which keys were used",
    `alter table ledger_keys disable trigger the_ledger_is_append_only; create table away as select * from ledger_keys order by number limit 1;
     delete from ledger_keys where number = (select number from away)`,
    `insert into ledger_keys select * from away; drop table away; alter table ledger_keys enable always trigger the_ledger_is_append_only`,
  ],
  [
    "which months are here",
    "update months set detached_at = now() where parent = 'ledger_transfers' and month = '2025-03-01'",
    "update months set detached_at = null where parent = 'ledger_transfers' and month = '2025-03-01'",
  ],
])("%s cannot be changed unseen", async (_, change, back) => {
  await owner.query(change);
  expect(await wrong()).not.toEqual([]);
  await owner.query(back);
  expect(await wrong()).toEqual([]);
});

test("the ledger's months go by their own way, and none that has hardly ended", async () => {
  await expect(
    owner.query("call detach_month('ledger_entries', '2025-03-01')"),
  ).rejects.toMatchObject({
    constraint: "months_of_money_have_their_own_way",
  });
});

test("a seal that was kept is asked for, also where its month was taken out", async () => {
  const begin = await findLedgerBegin(db);
  const { rows } = await owner.query(
    "select encode(hash, 'hex') as hash from ledger_seals where number = 1",
  );
  const claim = "seal 1 is the one that was kept";
  const kept = { number: "1", hash: rows[0].hash };
  expect(await verifyFrom(db, begin, [], kept)).toContainEqual({
    claim,
    holds: true,
    detail: "the same hash",
  });
  const rewritten = await verifyFrom(db, begin, [], { number: "1", hash: "0".repeat(64) });
  expect(rewritten.filter(({ holds }) => !holds)).toMatchObject([{ claim }]);
});

test("coins of a moment are not summed up where its months are not here", async () => {
  await expect(owner.query("select * from custody_at('2025-01-20')")).rejects.toMatchObject({
    constraint: "sums_begin_with_what_is_here",
  });
  const { rows } = await owner.query("select sum(units) > 0 as here from custody_at(now())");
  expect(rows).toEqual([{ here: true }]);
});

test("what was taken out is put back in turn, and all of it verifies again", async () => {
  await expect(owner.query("call attach_ledger_month('2025-01-01')")).rejects.toMatchObject({
    constraint: "months_are_put_back_in_turn",
  });
  const before = await whatIsSeen();
  for (const month of outMonths.toReversed()) {
    await owner.query(`call attach_ledger_month('${month}')`);
    expect(await whatIsSeen()).toEqual(before);
    expect(await wrong()).toEqual([]);
  }
  const { rows } = await owner.query(
    "select (select count(*) from ledger_openings)::int as openings, (select count(*) from ledger_opening_totals)::int as totals",
  );
  expect(rows[0]).toEqual({ openings: 0, totals: 0 });
});
