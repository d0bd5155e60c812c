import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit, aHold } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listStatement, type StatementFilter, type StatementLine } from "./list-statement.ts";
import { postTransfer } from "./post-transfer.ts";

const { db } = await testDatabase({ documents: false });

async function walk(
  customer: string,
  listing: StatementFilter & { limit: number; oldestFirst?: boolean },
) {
  const lines: StatementLine[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await listStatement(db, customer, { ...listing, after });
    expect(page.lines.length).toBeLessThanOrEqual(listing.limit);
    lines.push(...page.lines);
    if (page.after === null) return lines;
    after = page.after;
  }
}

test("pages through a statement, both ways, each line once, also between the two legs of a transfer", async () => {
  const customer = randomUUID();
  for (let round = 1; round <= 5; round += 1) {
    await postTransfer(db, aDeposit(customer, 10n, { memo: `deposit ${round}` }));
    await postTransfer(db, aHold(customer, 3n, { memo: `hold ${round}` }));
    await postTransfer(db, aDeposit(customer, 7n, { asset: "ETH" }));
  }
  const whole = await walk(customer, { limit: 100 });
  expect(whole).toHaveLength(20);
  expect(whole[1]).toMatchObject({
    kind: "hold",
    memo: "hold 5",
    account: "available",
    units: -3n,
    balanceAfter: 35n,
    // What is held is still the customer's.
    coinBalanceAfter: 50n,
  });
  const back = await walk(customer, { limit: 100, oldestFirst: true });
  expect(back[0]).toMatchObject({ memo: "deposit 1", coinBalanceAfter: 10n });
  expect(back.map(({ transferId }) => transferId)).toEqual(
    whole.map(({ transferId }) => transferId).reverse(),
  );
  for (const limit of [1, 2, 4, 7]) {
    expect(await walk(customer, { limit })).toEqual(whole);
    expect(await walk(customer, { limit, oldestFirst: true })).toEqual(back);
  }
});

test("finds by coin, kind, time and words, and pages through what it found", async () => {
  const customer = randomUUID();
  const on = (day: string) => ({ day, occurredAt: new Date(`${day}T12:00:00Z`) });
  await postTransfer(db, aDeposit(customer, 1_230_000n, { ...on("2026-01-31"), memo: "100 %" }));
  await postTransfer(db, aDeposit(customer, 5n, { ...on("2026-02-01"), asset: "ETH" }));
  await postTransfer(db, aHold(customer, 3n, { ...on("2026-02-02"), source: "withdrawal:abc" }));
  const found = async (filter: StatementFilter) => {
    const lines = await walk(customer, { ...filter, limit: 1 });
    return lines.map(({ day, units }) => [day.slice(5), units]);
  };
  const deposit = ["01-31", 1_230_000n];
  const ether = ["02-01", 5n];
  const hold = [
    ["02-02", -3n],
    ["02-02", 3n],
  ];
  const words = (text: string) => ({ search: { text, kinds: [] } });
  expect(await found({ asset: "ETH" })).toEqual([ether]);
  expect(await found({ kinds: ["deposit"] })).toEqual([ether, deposit]);
  expect(await found({ from: new Date("2026-02-02T00:00:00Z") })).toEqual(hold);
  expect(await found({ until: new Date("2026-02-01T00:00:00Z") })).toEqual([deposit]);
  expect(await found(words("0.0123"))).toEqual([deposit]);
  expect(await found(words("0 %"))).toEqual([deposit]);
  expect(await found(words("DRAWAL:A"))).toEqual(hold);
  expect(await found({ search: { text: "held", kinds: ["hold"] } })).toEqual(hold);
  expect(await found(words("nothing of this"))).toEqual([]);
  expect(await found({ ...words("2026"), asset: "BTC", kinds: ["hold"] })).toEqual(hold);
});

test("begins at the start when the cursor is none, and shows nobody another's entries", async () => {
  const customer = randomUUID();
  await postTransfer(db, aDeposit(customer, 10n));
  const page = await listStatement(db, customer, { after: "'; drop table", limit: 10 });
  expect(page.lines).toHaveLength(1);
  expect((await listStatement(db, randomUUID(), { limit: 10 })).lines).toEqual([]);
});
