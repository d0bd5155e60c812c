import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { postTransfers } from "#server/ledger/post-transfers.ts";
import { reverseTransfer } from "#server/ledger/reverse-transfer.ts";
import type { PostedKind } from "#server/ledger/transfer.ts";
import { sql } from "#server/platform/sql.ts";
import { correctTestPayout, createTestPool, recordTestPayout } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { postMiningDay } from "./post-mining-day.ts";

const { db, owner } = await testDatabase();
const site = await createMiningSite(db, { firstDay: "2026-03-01", maintenanceUsdMicros: 0n });
const customer = await site.customer();
await site.run("2026-03-01", 100n, 2_000n);

/** The constraint by which a statement is refused. */
async function refusal(doing: Promise<unknown>): Promise<string | undefined> {
  try {
    await doing;
  } catch (error) {
    let cause = error as Error & { constraint?: string; cause?: Error };
    while (cause.cause) cause = cause.cause as typeof cause;
    return cause.constraint ?? cause.message;
  }
  return undefined;
}

const kinds: [PostedKind, string, Parameters<typeof aTransfer>[0]["moves"]][] = [
  ["mining-credit", "mining-credit:2026-03-02", { available: 5n, pool_receivable: -5n }],
  ["maintenance-fee", "maintenance-fee:2026-03-02", { available: -5n, maintenance_revenue: 5n }],
  ["inactivity-fee", "inactivity-fee:2026-03-02", { available: -5n, inactivity_revenue: 5n }],
  ["contract-refund", "contract-refund", { available: 5n, contract_prepaid: -5n }],
  ["mining-correction", "mining-correction", { available: 5n, pool_receivable: -5n }],
];
const houseKinds: typeof kinds = [
  ["contract-day", "contract-day:2026-03-02", { contract_prepaid: -5n, contract_revenue: 5n }],
  ["operator-share", "operator-share:2026-03-02", { operator_equity: 5n, pool_receivable: -5n }],
  ["rounding-carry", "rounding-carry:2026-03-02:out", { pool_receivable: -5n, rounding: 5n }],
  ["contract-forfeit", "contract-forfeit", { contract_prepaid: -5n, contract_revenue: 5n }],
];

test.each(kinds)(
  "nobody posts a %s that no receipt explains, alone or among others",
  async (kind, key, moves) => {
    const credit = aTransfer({
      kind,
      ownerId: customer.id,
      key: `${key}:${customer.id}`,
      day: "2026-03-02",
      moves,
    });
    const coins = aTransfer({
      kind: "conversion",
      ownerId: customer.id,
      moves: { available: 9n, conversion: -9n },
    });
    const explained = "mining_transfers_are_explained";
    expect(await refusal(postTransfer(db, credit))).toBe(explained);
    expect(await refusal(postTransfers(db, [coins, credit]))).toBe(explained);
    // Also with the name and the amount of one that was posted, and as somebody else.
    const again = { ...credit, key: `${kind}:2026-03-01:${customer.id}`, day: "2026-03-01" };
    expect(await refusal(postTransfer(db, again))).toMatch(/explained|key-reused/);
  },
);

test("a credit is not explained by bearing the name of a fee that is collected later", async () => {
  const credit = aTransfer({
    kind: "mining-credit",
    ownerId: customer.id,
    key: `maintenance-arrears:${randomUUID()}`,
    day: "2026-03-02",
    moves: { available: 5n, pool_receivable: -5n },
  });
  expect(await refusal(postTransfer(db, credit))).toBe("mining_transfers_are_explained");
});

test("no other transfer takes the key of a credit to come, nor does a reversal", async () => {
  const key = `mining-credit:2026-03-02:${customer.id}`;
  const rule = "keys_are_of_the_kind_they_name";
  const moves = { available: 9n, conversion: -9n };
  const coins = aTransfer({ kind: "conversion", ownerId: customer.id, moves });
  expect(await refusal(postTransfer(db, { ...coins, key }))).toBe(rule);
  expect(await refusal(postTransfers(db, [coins, { ...coins, key }]))).toBe(rule);
  const { rows } = await owner.query(
    "select id from ledger_transfers where kind = 'contract-purchase' limit 1",
  );
  const reversal = { transferId: rows[0].id, key, memo: "", occurredAt: new Date() };
  expect(await refusal(reverseTransfer(db, reversal))).toBe(rule);
});

test.each(houseKinds)("nobody posts a %s that no run explains", async (kind, key, moves) => {
  const fact = aTransfer({ kind, ownerId: "house", key, day: "2026-03-02", moves });
  expect(await refusal(postTransfer(db, fact))).toBe("mining_transfers_are_explained");
});

test("the application writes none of the rows that explain", async () => {
  for (const statement of [
    `insert into mining_customer_days values ('${customer.id}', '2026-03-02', 1, 1, 5, 5, 0, 0, 0, 5, 5, 0, 0)`,
    `insert into mining_contract_days values ('${customer.contractId}', '2026-03-02', '${customer.id}', 1, 5, 0, true, 5, 5, 0, 0)`,
    "update mining_runs set credited_sats = 0",
    "delete from maintenance_arrears",
    "insert into maintenance_arrears (contract_id) values (null)",
    "update contract_endings set refunded_units = 1",
    "update maintenance_clocks set stood = '1 hour'",
    "select mining_post('contract-day', '2026-03-02', now())",
    "select mining_collect_from('{}', now())",
  ]) {
    expect(await refusal(db.execute(sql.raw(statement))), statement).toMatch(/permission denied/);
  }
});

test("not even the owner of the tables credits more than the evidence, or rewrites a day", async () => {
  const { rows } = await owner.query("select * from mining_runs where day = '2026-03-01'");
  expect(await refusal(owner.query("update mining_runs set payout_sats = 1000"))).toBe(
    "runs_are_never_rewritten",
  );
  expect(await refusal(owner.query("delete from mining_runs"))).toBe("runs_are_kept");
  for (const table of ["mining_contract_days", "mining_contract_days_2026_03"]) {
    expect(await refusal(owner.query(`update ${table} set credit_sats = 9`))).toBe(
      "receipts_are_written_once",
    );
  }
  // A run of evidence that nobody recorded.
  const columns = Object.keys(rows[0]).filter((name) => rows[0][name] !== null);
  const values = columns.map((name) => (name === "day" ? "'2026-03-02'" : name));
  expect(
    await refusal(
      owner.query(`insert into mining_runs (${columns}) select ${values} from mining_runs`),
    ),
  ).toBe("runs_rest_on_evidence");
  // A customer's day that says more than there is to give.
  const other = randomUUID();
  await owner.query(
    "insert into mining_customer_days values ($1, '2026-03-01', 1, 1, 1000000, 5, 0, 0, 0, 5, 5, 0, 0)",
    [other],
  );
  const credit = aTransfer({
    kind: "mining-credit",
    ownerId: other,
    key: `mining-credit:2026-03-01:${other}`,
    day: "2026-03-01",
    moves: { available: 1_000_000n, pool_receivable: -1_000_000n },
  });
  expect(await refusal(postTransfer(db, credit))).toMatch(
    /credits_stay_within_the_evidence|runs_are_never_rewritten/,
  );
});

test("a contract begins on no day that is worked out, or being worked out", async () => {
  expect(await refusal(site.again(customer.id))).toBe("contracts_begin_after_what_is_worked_out");
});

test("a credit is corrected by evidence, never reversed", async () => {
  const { rows } = await owner.query(
    "select id from ledger_transfers where kind = 'mining-credit'",
  );
  const reversal = { transferId: rows[0].id, key: randomUUID(), memo: "", occurredAt: new Date() };
  expect(await refusal(reverseTransfer(db, reversal))).toBe("mining_is_not_reversed");
});

test("a day needs its evidence, its price, its end and the day before", async () => {
  const code = (day: string, now = nightAfter(day)) =>
    postMiningDay(db, day, now).then(
      () => "posted",
      (error) => error.code ?? error.message,
    );
  expect(await code("2026-03-02", new Date("2026-03-02T23:59:59.999Z"))).toBe(
    "mining/day-not-over",
  );
  expect(await code("2026-03-02")).toBe("mining/evidence-incomplete");
  await recordTestPayout(db, {
    poolId: site.poolId,
    day: "2026-03-02",
    units: 100n,
    deliveredGhs: 2_000n,
  });
  expect(await code("2026-03-02")).toBe("mining/no-price");
  await site.pay("2026-03-03", 100n, 2_000n);
  expect(await code("2026-03-03")).toBe("mining/day-out-of-order");
  // The first price after the day serves when there was none at its end.
  expect(await code("2026-03-02")).toBe("posted");
  // A second pool that begins to count makes a day incomplete until it has paid.
  const second = await createTestPool(db, { from: "2026-03-03" });
  expect(await code("2026-03-03")).toBe("mining/evidence-incomplete");
  await recordTestPayout(db, {
    poolId: second,
    day: "2026-03-03",
    units: 0n,
    deliveredGhs: 0n,
  });
  expect(await code("2026-03-03")).toBe("posted");
});

test("what is said later of a day that was given out is a correction, and its pools stay", async () => {
  const late = { poolId: site.poolId, day: "2026-03-01", units: 5n, deliveredGhs: 1n };
  expect(await refusal(recordTestPayout(db, late))).toMatch(/worked_days|one_first_payout/);
  expect(await refusal(createTestPool(db, { from: "2026-03-03" }))).toBe(
    "worked_days_keep_their_pools",
  );
  const payout = site.payouts.get("2026-03-01") ?? "";
  expect(
    await refusal(correctTestPayout(db, payout, { units: 90n, now: nightAfter("2026-03-03") })),
  ).toBe(undefined);
});

test("nobody pays for a contract that is not there, alone or among others", async () => {
  const purchase = aTransfer({
    kind: "contract-purchase",
    ownerId: customer.id,
    moves: { available: -5n, contract_prepaid: 5n },
  });
  const coins = aTransfer({
    kind: "conversion",
    ownerId: customer.id,
    moves: { available: 9n, conversion: -9n },
  });
  const paidFor = "only_contracts_are_paid_for";
  expect(await refusal(postTransfer(db, purchase))).toBe(paidFor);
  expect(await refusal(postTransfers(db, [coins, purchase]))).toBe(paidFor);
  const again = { ...purchase, key: `contract-purchase:${customer.contractId}x` };
  expect(await refusal(postTransfer(db, again))).toBe(paidFor);
});

test("a purchase is reversed for what is given back, and what is given back is paid back", async () => {
  const first = await site.customer({ coolingOff: true, now: nightAfter("2026-03-03") });
  const { rows } = await owner.query("select transfer_id, bought_at from contracts where id = $1", [
    first.contractId,
  ]);
  const [{ transfer_id: transferId, bought_at: occurredAt }] = rows;
  const reversal = { transferId, key: randomUUID(), occurredAt, memo: "" };
  expect(await refusal(reverseTransfer(db, reversal))).toBe(
    "purchases_are_reversed_when_given_back",
  );
  const giveBack = sql`update contracts set last_day = starts_on - 1, end_reason = 'given-back', ended_at = bought_at
    where id = ${first.contractId}`;
  expect(await refusal(db.execute(giveBack))).toBe("what_is_given_back_is_paid_back");
  await db.transaction(async (tx) => {
    await reverseTransfer(tx, reversal);
    await tx.execute(giveBack);
  });
  expect(await first.balance()).toBe(first.units);
});

test.each([
  ["unpaid-maintenance", "2026-03-20"],
  ["served", "2026-03-31"],
])("a contract does not end as %s by a statement of the application", async (reason, lastDay) => {
  const end = sql`update contracts set last_day = ${lastDay}, end_reason = ${reason}, ended_at = now()
    where id = ${customer.contractId}`;
  expect(await refusal(db.execute(end))).toBe("contracts_end_by_the_engine");
});
