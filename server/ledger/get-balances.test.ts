import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit, aHold, aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "./get-balances.ts";
import { getTrialBalance } from "./get-trial-balance.ts";
import { listHouseBalances } from "./list-house-balances.ts";
import { listStatement } from "./list-statement.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { reverseTransfer } from "./reverse-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";

const { db, owner } = await testDatabase({ documents: false });

test("a stranger to the ledger has nothing, of everything", async () => {
  const nothing = { available: 0n, held: 0n };
  expect(await getBalances(db, randomUUID())).toEqual({
    BTC: nothing,
    ETH: nothing,
    USDT: nothing,
  });
  expect((await listStatement(db, randomUUID(), { limit: 10 })).lines).toEqual([]);
});

test("sums the house the same whatever is sealed, noted, late or reversed", async () => {
  const late = await db.$client.connect();
  const expected = async () => {
    const { rows } = await owner.query(
      `select account, asset, case when account in ('custody', 'network_fee_expense') then -units else units end as units
         from (select account, asset, sum(units) as units from ledger_entries where sequence is null group by 1, 2) s
        where units <> 0 order by 1, 2`,
    );
    return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
  };
  const seen = async () => (await listHouseBalances(db)).filter(({ units }) => units !== 0n);
  for (let round = 1; round <= 6; round += 1) {
    await postTransfers(
      db,
      Array.from({ length: 5 }, () => aDeposit(randomUUID(), BigInt(round))),
    );
    const { transferId } = await postTransfer(db, aDeposit(randomUUID(), 4n, { asset: "USDT" }));
    if (round === 2) {
      await late.query("begin");
      await late.query(
        `select post_transfer(gen_random_uuid(), 'late fee', 'network-fee', '00000000-0000-0000-0000-000000000000',
           '2026-01-31', now(), 'x', '', '{"(custody,BTC,5)","(network_fee_expense,BTC,-5)"}')`,
      );
    }
    if (round === 5) await late.query("commit");
    await sealTransfers(db, new Date());
    expect(await seen()).toEqual(await expected());
    await snapshotHouseBalances(db, 1);
    expect(await seen()).toEqual(await expected());
    await reverseTransfer(db, { transferId, key: randomUUID(), occurredAt: new Date(), memo: "" });
    expect(await seen()).toEqual(await expected());
  }
  late.release();
  const { rows } = await owner.query(
    "select count(distinct seal_number) as snapshots from ledger_house_snapshots",
  );
  expect(Number(rows[0].snapshots)).toBe(6);
});

test("shows what the house holds on its own side", async () => {
  await postTransfer(
    db,
    aTransfer({
      kind: "network-fee",
      ownerId: "house",
      asset: "ETH",
      moves: { custody: 9n, network_fee_expense: -9n },
    }),
  );
  const balances = await listHouseBalances(db);
  expect(
    balances.find(({ account, asset }) => account === "custody" && asset === "ETH")?.units,
  ).toBe(-9n);
  expect(
    balances.find(({ account, asset }) => account === "network_fee_expense" && asset === "ETH")
      ?.units,
  ).toBe(9n);
});

test("notes the house's balances only when enough happened since the last note", async () => {
  const count = async () => {
    const { rows } = await owner.query("select count(*) as count from ledger_house_snapshots");
    return rows[0].count;
  };
  await sealTransfers(db, new Date());
  await snapshotHouseBalances(db, 1);
  const before = await count();
  await postTransfer(db, aDeposit(randomUUID(), 1n));
  await sealTransfers(db, new Date());
  await snapshotHouseBalances(db, 2);
  expect(await count()).toBe(before);
  await snapshotHouseBalances(db, 1);
  await snapshotHouseBalances(db, 1);
  expect(Number(await count())).toBe(Number(before) + 36);
});

test("every read of the trial balance is zero while many post, seal and note", async () => {
  let writing = true;
  const customers = Array.from({ length: 10 }, () => randomUUID());
  const write = async (customer: string) => {
    for (let round = 0; round < 30; round += 1) {
      await postTransfer(db, aDeposit(customer, 5n));
      await postTransfer(db, aHold(customer, 2n));
      if (round % 10 === 0) await sealTransfers(db, new Date());
      if (round % 10 === 5) await snapshotHouseBalances(db, 1);
    }
  };
  const read = async () => {
    let reads = 0;
    while (writing) {
      const { BTC, ETH, USDT } = await getTrialBalance(db);
      expect([BTC.sum, ETH.sum, USDT.sum]).toEqual([0n, 0n, 0n]);
      reads += 1;
    }
    return reads;
  };
  const reading = Promise.all([read(), read()]);
  await Promise.all(customers.map(write));
  writing = false;
  expect(Math.min(...(await reading))).toBeGreaterThan(10);
});
