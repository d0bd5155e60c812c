import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { aDeposit, aHold, aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findTransfer } from "./find-transfer.ts";
import { getBalances } from "./get-balances.ts";
import { listStatement } from "./list-statement.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import type { Leg, PostedKind, Transfer } from "./transfer.ts";

const { db, owner } = await testDatabase({ documents: false });

async function countTransfers(key: string): Promise<number> {
  const { rowCount } = await owner.query("select from ledger_transfers where key = $1", [key]);
  return rowCount ?? 0;
}

describe("one at a time and many at once alike", () => {
  const ways: [string, (transfer: Transfer) => Promise<{ transferId: string; posted: boolean }>][] =
    [
      ["postTransfer", (transfer) => postTransfer(db, transfer)],
      [
        "postTransfers",
        async (transfer) => {
          const other = aDeposit(randomUUID(), 1n);
          const [done] = await postTransfers(db, [transfer, other]);
          if (!done) throw new Error("nothing came back");
          return done;
        },
      ],
    ];

  test.each(ways)("%s credits the customer and debits custody", async (_, post) => {
    const customer = randomUUID();
    const { transferId, posted } = await post(aDeposit(customer, 12_345n));
    expect(posted).toBe(true);
    expect((await getBalances(db, customer)).BTC).toEqual({ available: 12_345n, held: 0n });
    const transfer = await findTransfer(db, customer, transferId);
    expect(transfer?.entries).toEqual([
      { account: "available", asset: "BTC", units: 12_345n, balanceAfter: 12_345n },
      { account: "custody", asset: "BTC", units: -12_345n, balanceAfter: null },
    ]);
  });

  test.each(ways)("%s keeps wei that fit in no 64-bit number", async (_, post) => {
    const customer = randomUUID();
    const wei = 10n ** 37n + 1n;
    await post(aDeposit(customer, wei, { asset: "ETH" }));
    expect((await getBalances(db, customer)).ETH.available).toBe(wei);
  });

  test.each(ways)("%s moves two assets in one conversion", async (_, post) => {
    const customer = randomUUID();
    await post(aDeposit(customer, 100n));
    const legs: Leg[] = [
      { account: "available", asset: "USDT", owner: customer, units: 7n },
      { account: "conversion", asset: "USDT", owner: "house", units: -7n },
      { account: "conversion", asset: "BTC", owner: "house", units: 60n },
      { account: "available", asset: "BTC", owner: customer, units: -60n },
    ];
    await post({ ...aTransfer({ kind: "conversion", moves: {}, ownerId: customer }), legs });
    const { BTC, USDT } = await getBalances(db, customer);
    expect([BTC.available, USDT.available]).toEqual([40n, 7n]);
  });

  test.each(ways)("%s posts a house transfer that touches no customer", async (_, post) => {
    const { posted } = await post(
      aTransfer({
        kind: "network-fee",
        ownerId: "house",
        moves: { custody: 5n, network_fee_expense: -5n },
      }),
    );
    expect(posted).toBe(true);
  });

  test.each(ways)(
    "%s returns the first transfer when the same key and content come again, whatever the clocks say",
    async (_, post) => {
      const customer = randomUUID();
      const deposit = aDeposit(customer, 10n);
      const first = await post(deposit);
      const later = { ...deposit, day: "2027-01-01", occurredAt: new Date("2027-01-01T00:00:00Z") };
      const again = await post({ ...later, legs: later.legs.toReversed() });
      expect(again).toEqual({ transferId: first.transferId, posted: false });
      expect((await getBalances(db, customer)).BTC.available).toBe(10n);
    },
  );

  test.each(ways)(
    "%s returns the first transfer also when its money has been used since",
    async (_, post) => {
      const customer = randomUUID();
      await post(aDeposit(customer, 10n));
      const hold = aHold(customer, 10n);
      const first = await post(hold);
      expect(await post(hold)).toEqual({ transferId: first.transferId, posted: false });
    },
  );

  const customer = randomUUID();
  const deposit = aDeposit(customer, 10n);
  test.each(ways)("%s refuses a key that stands for something else", async (_, post) => {
    await post(deposit);
    const others: Partial<Transfer>[] = [
      {
        kind: "goodwill",
        legs: aTransfer({
          ownerId: customer,
          kind: "goodwill",
          moves: { available: 10n, operator_equity: -10n },
        }).legs,
      },
      { legs: aDeposit(customer, 11n).legs },
      { legs: aDeposit(customer, 10n, { asset: "ETH" }).legs },
      { source: "test:other" },
      { memo: "other" },
      aDeposit(randomUUID(), 10n, { key: deposit.key }),
    ];
    for (const other of others) {
      await expect(post({ ...deposit, ...other })).rejects.toMatchObject({
        code: "ledger/key-reused",
      });
    }
    expect(await countTransfers(deposit.key)).toBe(1);
  });

  test.each(ways)(
    "%s refuses to take a customer below zero, and moves nothing",
    async (_, post) => {
      const poor = randomUUID();
      await post(aDeposit(poor, 10n));
      const hold = aHold(poor, 11n);
      await expect(post(hold)).rejects.toMatchObject({ code: "ledger/insufficient-balance" });
      expect((await getBalances(db, poor)).BTC).toEqual({ available: 10n, held: 0n });
      expect(await countTransfers(hold.key)).toBe(0);
    },
  );

  const c = randomUUID();
  const house = "house";
  const mistakes: [string, PostedKind, string, Leg[]][] = [
    [
      "ledger/unbalanced",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 10n },
        { account: "custody", asset: "BTC", owner: house, units: -9n },
      ],
    ],
    [
      "ledger/unbalanced",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 10n },
        { account: "custody", asset: "ETH", owner: house, units: -10n },
      ],
    ],
    ["ledger/too-few-legs", "deposit", c, []],
    [
      "ledger/too-few-legs",
      "deposit",
      c,
      [{ account: "available", asset: "BTC", owner: c, units: 10n }],
    ],
    [
      "ledger/empty-leg",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 0n },
        { account: "custody", asset: "BTC", owner: house, units: 0n },
      ],
    ],
    [
      "ledger/repeated-leg",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 5n },
        { account: "available", asset: "BTC", owner: c, units: 5n },
        { account: "custody", asset: "BTC", owner: house, units: -10n },
      ],
    ],
    [
      "ledger/unlisted-movement",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 10n },
        { account: "operator_equity", asset: "BTC", owner: house, units: -10n },
      ],
    ],
    [
      "ledger/unlisted-movement",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: -10n },
        { account: "custody", asset: "BTC", owner: house, units: 10n },
      ],
    ],
    [
      "ledger/foreign-leg",
      "hold",
      c,
      [
        { account: "available", asset: "BTC", owner: randomUUID(), units: -10n },
        { account: "held", asset: "BTC", owner: c, units: 10n },
      ],
    ],
    [
      "ledger/foreign-leg",
      "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 10n },
        { account: "custody", asset: "BTC", owner: c, units: -10n },
      ],
    ],
    [
      "ledger/unknown-account",
      "deposit",
      house,
      [
        { account: "available", asset: "BTC", owner: house, units: 10n },
        { account: "custody", asset: "BTC", owner: house, units: -10n },
      ],
    ],
    [
      "ledger/unknown-asset",
      "deposit",
      c,
      [
        { account: "available", asset: "DOGE" as "BTC", owner: c, units: 10n },
        { account: "custody", asset: "DOGE" as "BTC", owner: house, units: -10n },
      ],
    ],
    [
      "ledger/unlisted-movement",
      "theft" as "deposit",
      c,
      [
        { account: "available", asset: "BTC", owner: c, units: 10n },
        { account: "custody", asset: "BTC", owner: house, units: -10n },
      ],
    ],
  ];
  for (const [code, kind, ownerId, legs] of mistakes) {
    const shown = legs.map((leg) => `${leg.account} ${leg.units} ${leg.asset}`).join(", ");
    test.each(ways)(`%s refuses with ${code} (${kind}: ${shown})`, async (_, post) => {
      const transfer = { ...aTransfer({ kind, moves: {}, ownerId }), legs };
      await expect(post(transfer)).rejects.toMatchObject({ code });
      expect(await countTransfers(transfer.key)).toBe(0);
    });
  }
});

test("posts a key once when 50 ask at once, and gives all of them the same answer", async () => {
  const customer = randomUUID();
  const deposit = aDeposit(customer, 10n);
  const answers = await Promise.all(Array.from({ length: 50 }, () => postTransfer(db, deposit)));
  expect(answers.filter(({ posted }) => posted)).toHaveLength(1);
  expect(new Set(answers.map(({ transferId }) => transferId)).size).toBe(1);
  expect((await getBalances(db, customer)).BTC.available).toBe(10n);
});

test("lets one of 50 have a balance that is there once", async () => {
  const customer = randomUUID();
  await postTransfer(db, aDeposit(customer, 10n));
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => postTransfer(db, aHold(customer, 10n))),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refusals = answers.filter((answer) => answer.status === "rejected");
  expect(new Set(refusals.map(({ reason }) => reason.code))).toEqual(
    new Set(["ledger/insufficient-balance"]),
  );
  expect((await getBalances(db, customer)).BTC).toEqual({ available: 0n, held: 10n });
});

test("undoes the caller's transaction when it refuses", async () => {
  const customer = randomUUID();
  const deposit = aDeposit(customer, 10n);
  const act = db.transaction(async (tx) => {
    await postTransfer(tx, deposit);
    await postTransfer(tx, aHold(customer, 11n));
  });
  await expect(act).rejects.toMatchObject({ code: "ledger/insufficient-balance" });
  expect(await countTransfers(deposit.key)).toBe(0);
});

test("posts in one round trip", async () => {
  const queries: string[] = [];
  const client = await db.$client.connect();
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const watched = drizzle(client, { logger: { logQuery: (query) => queries.push(query) } });
  await postTransfer(watched as never, aDeposit(randomUUID(), 10n));
  client.release();
  expect(queries).toHaveLength(1);
});

test("numbers an account's entries in the order of the ledger while many write to it at once", async () => {
  const customer = randomUUID();
  const singles = Array.from({ length: 40 }, () => postTransfer(db, aDeposit(customer, 1n)));
  const batches = Array.from({ length: 5 }, () =>
    postTransfers(
      db,
      Array.from({ length: 20 }, () => aDeposit(customer, 1n)),
    ),
  );
  await Promise.all([...singles, ...batches]);
  const { lines } = await listStatement(db, customer, { limit: 200 });
  expect(lines.map(({ balanceAfter }) => balanceAfter)).toEqual(
    Array.from({ length: 140 }, (_, place) => 140n - BigInt(place)),
  );
});

test("reads a statement the same whatever its time zone", async () => {
  const customer = randomUUID();
  const { transferId } = await postTransfer(db, aDeposit(customer, 1n));
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local timezone = 'Pacific/Kiritimati'`);
    const transfer = await findTransfer(tx, customer, transferId);
    expect(transfer?.occurredAt).toEqual(new Date("2026-01-31T12:00:00Z"));
    expect(transfer?.day).toBe("2026-01-31");
  });
});
