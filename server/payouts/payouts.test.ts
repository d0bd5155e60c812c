import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { writeThs } from "#core/mining/hashrate.ts";
import { houseId } from "#server/ledger/account.ts";
import { createTestNetwork, readTestNetwork, testHashrateOf } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { correctPayout } from "./correct-payout.ts";
import { enterPayout } from "./enter-payout.ts";
import { findPayout } from "./find-payout.ts";
import { readStatementBytes } from "./find-statement.ts";
import { importStatement } from "./import-statement.ts";
import { keepStatement } from "./keep-statement.ts";
import { listEvidence } from "./list-evidence.ts";
import { refusePayout } from "./refuse-payout.ts";
import { reviewStatement } from "./review-statement.ts";
import { setPayoutLimit } from "./set-payout-limit.ts";
import { stopPool } from "./stop-pool.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing" });
const now = new Date("2026-11-21T06:00:00Z");
const btc = 100_000_000n;
const txid = () => randomBytes(32).toString("hex");

async function received(): Promise<bigint> {
  const { rows } = await owner.query(
    "select units from house_balances() where account = 'pool_receivable' and asset = 'BTC'",
  );
  return BigInt(rows[0].units);
}

/** What became of payouts while something happened: how many satoshi came to the pool's account. */
async function came(happens: () => Promise<unknown>): Promise<bigint> {
  const before = await received();
  await happens();
  return (await received()) - before;
}

const code = (text: string) => ({ code: `payouts/${text}` });
const constraint = (name: string) => ({ constraint: name });

function csv(...rows: string[]): Uint8Array {
  return Buffer.from(`Date,Hashrate (TH/s),Amount (BTC),TXID\n${rows.join("\n")}\n`);
}

describe("entering by hand", () => {
  test("records a payout once, however often its form arrives, also at once", async () => {
    const poolId = await createTestPool(db, grace);
    const form = {
      payoutId: randomUUID(),
      poolId,
      day: "2026-11-20",
      txid: txid(),
      units: 1_234n,
      deliveredGhs: 5_000_000n,
    };
    const often = () => Promise.all([1, 2, 3].map(() => enterPayout(db, grace, form, now)));
    expect(await came(often)).toBe(1_234n);
    const { rows } = await owner.query("select act, detail from audit_log where subject = $1", [
      `payout:${form.payoutId}`,
    ]);
    expect(rows).toMatchObject([
      { act: "payouts/enter", detail: { btc: "0.00001234", deliveredThs: "5000" } },
    ]);
    // Back to the form, and other figures: what is entered is not changed by it, and he is told.
    const other = enterPayout(db, grace, { ...form, units: 1_235n }, now);
    await expect(other).rejects.toMatchObject(code("entered-otherwise"));
  });

  test("takes a second payout of a pool for one day for a mistake", async () => {
    const poolId = await createTestPool(db, grace);
    await createTestPayout(db, grace, { poolId, day: "2026-11-20", now });
    const again = createTestPayout(db, alan, { poolId, day: "2026-11-20", now });
    await expect(again).rejects.toMatchObject(code("already-there"));
  });

  test("lets one transaction pay for two days of a pool when two people stand for the second, and for no other pool", async () => {
    const poolId = await createTestPool(db, grace);
    const one = { poolId, txid: txid(), units: 7n, now };
    const first = await createTestPayout(db, grace, { ...one, day: "2026-11-19" });
    let second = "";
    const entered = async () => {
      second = await createTestPayout(db, grace, { ...one, day: "2026-11-20" });
    };
    expect(await came(entered)).toBe(0n);
    const found = await findPayout(db, second);
    expect(found?.ofTransaction.map(({ id }) => id)).toEqual([first]);
    expect(await came(() => confirmPayout(db, alan, second, now))).toBe(7n);
    const nothing = await createTestPayout(db, grace, { ...one, units: 0n, day: "2026-11-18" });
    const decided =
      "set state = 'recorded', decided_at = proposed_at, decision_action_id = proposal_action_id";
    await expect(
      owner.query(`update pool_payouts ${decided} where id = $1`, [nothing]),
    ).rejects.toMatchObject(constraint("shared_transactions_need_two_people"));
    const elsewhere = { ...one, poolId: await createTestPool(db, grace), day: "2026-11-20" };
    const tried = createTestPayout(db, grace, elsewhere);
    await expect(tried).rejects.toMatchObject(code("transaction-of-another-pool"));
  });

  test.each([
    ["a day that is not over", { day: "2026-11-21" }, "day-not-over"],
    ["a day before the pool counts", { day: "2025-12-31" }, "day-does-not-count"],
    ["what is no transaction", { txid: "f00" }, "not-a-txid"],
    ["more than there will ever be", { units: 21_000_001n * btc }, "implausible-amount"],
  ])("refuses %s, and leaves no trace", async (_, wrong, refusal) => {
    const poolId = await createTestPool(db, grace);
    const acts = async () => (await owner.query("select count(*) from audit_log")).rows[0].count;
    const before = await acts();
    const tried = createTestPayout(db, grace, { poolId, day: "2026-11-20", now, ...wrong });
    await expect(tried).rejects.toMatchObject(code(refusal));
    expect(await acts()).toBe(before);
  });

  test("moves nothing for a day on which a pool paid nothing, and the day is complete", async () => {
    const poolId = await createTestPool(db, grace, { countsFrom: "2020-03-01" });
    await stopPool(db, grace, { poolId, countsUntil: "2020-03-02", reason: "Left" }, now);
    const day = { poolId, units: 0n, deliveredGhs: 0n, now };
    expect(await came(() => createTestPayout(db, grace, { ...day, day: "2020-03-01" }))).toBe(0n);
    const evidence = await listEvidence(db, { from: "2020-02-29", until: "2020-03-03" });
    expect(evidence.map(({ day, complete }) => [day, complete])).toEqual([
      ["2020-02-29", false],
      ["2020-03-01", true],
      ["2020-03-02", false],
      ["2020-03-03", false],
    ]);
  });
});

describe("two people", () => {
  test("stand for a payout above the limit, and never the same one twice", async () => {
    const poolId = await createTestPool(db, grace);
    const large = { poolId, day: "2026-11-20", units: btc + 1n, now };
    let payoutId = "";
    const proposed = async () => {
      payoutId = await createTestPayout(db, grace, large);
    };
    expect(await came(proposed)).toBe(0n);
    await expect(confirmPayout(db, grace, payoutId, now)).rejects.toMatchObject(
      code("own-proposal"),
    );
    const confirmed = () =>
      Promise.all([confirmPayout(db, alan, payoutId, now), confirmPayout(db, alan, payoutId, now)]);
    expect(await came(confirmed)).toBe(btc + 1n);
    const found = await findPayout(db, payoutId);
    expect(found?.payout).toMatchObject({
      state: "recorded",
      proposedBy: "Grace Hopper",
      decidedBy: "Alan Turing",
    });
  });

  test("are not needed at the limit itself, and it can be changed", async () => {
    const poolId = await createTestPool(db, grace);
    const at = (day: string, units: bigint) =>
      createTestPayout(db, grace, { poolId, day, units, now });
    expect(await came(() => at("2026-11-20", btc))).toBe(btc);
    await setPayoutLimit(db, grace, 5_000n, now);
    expect(await came(() => at("2026-11-19", 5_001n))).toBe(0n);
    expect(await came(() => at("2026-11-18", 5_000n))).toBe(5_000n);
    await setPayoutLimit(db, grace, btc, now);
  });

  test("of who confirms and who refuses at once, one does", async () => {
    const poolId = await createTestPool(db, grace);
    const payoutId = await createTestPayout(db, grace, {
      poolId,
      day: "2026-11-20",
      units: 2n * btc,
      now,
    });
    const outcomes = await Promise.allSettled([
      confirmPayout(db, alan, payoutId, now),
      refusePayout(db, alan, { payoutId, reason: "It never arrived." }, now),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: code("already-decided"),
    });
  });

  test("leave a refused day open for another payout", async () => {
    const poolId = await createTestPool(db, grace);
    const day = { poolId, day: "2026-11-20", now };
    const payoutId = await createTestPayout(db, grace, { ...day, units: 2n * btc });
    await refusePayout(db, alan, { payoutId, reason: "Typed one digit too many." }, now);
    expect(await came(() => createTestPayout(db, grace, { ...day, units: 200n }))).toBe(200n);
  });
});

describe("a correction", () => {
  async function corrected(units: bigint, by: Partial<Parameters<typeof correctPayout>[2]> = {}) {
    const poolId = await createTestPool(db, grace);
    const payoutId = await createTestPayout(db, grace, {
      poolId,
      day: "2026-11-20",
      units: 500n,
      now,
    });
    const correction = {
      payoutId: randomUUID(),
      corrects: payoutId,
      units,
      deliveredGhs: 900_000n,
      txid: txid(),
      statementId: null,
      reason: "The pool paid for rejected shares",
      ...by,
    };
    await correctPayout(db, grace, correction, now);
    return { payoutId, correction };
  }

  test("waits for a second person whatever the amount, and takes the first payout back", async () => {
    const { payoutId, correction } = await corrected(300n);
    const own = confirmPayout(db, grace, correction.payoutId, now);
    await expect(own).rejects.toMatchObject(code("own-proposal"));
    expect(await came(() => confirmPayout(db, alan, correction.payoutId, now))).toBe(-200n);
    const found = await findPayout(db, payoutId);
    expect(found?.payout.correctedBy).toBe(correction.payoutId);
    const again = { ...correction, payoutId: randomUUID() };
    await expect(correctPayout(db, grace, again, now)).rejects.toMatchObject(
      code("already-corrected"),
    );
  });

  test("is proposed once, however often its form arrives, and not with other figures", async () => {
    const { correction } = await corrected(300n);
    await correctPayout(db, grace, correction, now);
    for (const other of [
      { units: 400n },
      { deliveredGhs: 1n },
      { txid: txid() },
      { reason: "No" },
    ]) {
      const again = correctPayout(db, grace, { ...correction, ...other }, now);
      await expect(again).rejects.toMatchObject(code("proposed-otherwise"));
    }
    expect((await findPayout(db, correction.payoutId))?.payout.units).toBe(300n);
  });

  test("to nothing posts nothing in its place", async () => {
    const { correction } = await corrected(0n);
    expect(await came(() => confirmPayout(db, alan, correction.payoutId, now))).toBe(-500n);
  });

  test("that was refused can be proposed anew", async () => {
    const { correction } = await corrected(300n);
    const { payoutId } = correction;
    await refusePayout(db, alan, { payoutId, reason: "Look again." }, now);
    const second = { ...correction, payoutId: randomUUID(), units: 400n };
    await correctPayout(db, grace, second, now);
    expect(await came(() => confirmPayout(db, alan, second.payoutId, now))).toBe(-100n);
  });

  test("needs something to correct, and evidence", async () => {
    const poolId = await createTestPool(db, grace);
    const id = await createTestPayout(db, grace, { poolId, day: "2026-11-20", units: 5n, now });
    const found = await findPayout(db, id);
    const same = {
      payoutId: randomUUID(),
      corrects: id,
      units: 5n,
      deliveredGhs: 1_000_000n,
      txid: found?.payout.txid ?? null,
      statementId: null,
      reason: "Hm",
    };
    await expect(correctPayout(db, grace, same, now)).rejects.toMatchObject(
      code("nothing-to-correct"),
    );
    const bare = { ...same, units: 6n, txid: null };
    await expect(correctPayout(db, grace, bare, now)).rejects.toMatchObject(
      code("evidence-missing"),
    );
  });
});

describe("a pool's file", () => {
  test("is kept byte for byte, says what it would do, and is recorded once", async () => {
    const poolId = await createTestPool(db, grace);
    await createTestPayout(db, grace, {
      poolId,
      day: "2026-11-18",
      units: 100n,
      deliveredGhs: 1_000_000n,
      now,
    });
    await createTestPayout(db, grace, {
      poolId,
      day: "2026-11-17",
      units: 100n,
      deliveredGhs: 1_000_000n,
      now,
    });
    const content = csv(
      "2026-11-21,1000,0.00000500,",
      "2026-11-20,1000,0.00000400,",
      "2026-11-19,1000,2.00000000,",
      "2026-11-18,1000,0.00000100,",
      "2026-11-17,1000,0.00000111,",
      "2025-11-17,1000,0.00000111,",
      "yesterday,1000,0.00000111,",
    );
    const file = { poolId, name: "C:\\pool\\revenue.csv", content };
    const { statementId } = await keepStatement(db, grace, file, now);
    expect(await keepStatement(db, alan, file, now)).toEqual({ statementId });
    expect(Buffer.from((await readStatementBytes(db, statementId)) ?? []).equals(content)).toBe(
      true,
    );
    const { lines } = await reviewStatement(db, statementId, now, grace.id);
    expect(lines.map(({ outcome }) => outcome)).toMatchObject([
      { does: "leave-out", fault: "day-not-over" },
      { does: "record", secondPerson: false },
      { does: "record", secondPerson: "amount" },
      { does: "nothing", waits: false },
      { does: "differ", units: 100n },
      { does: "leave-out", fault: "day-does-not-count" },
      { does: "leave-out", fault: "not-a-day" },
    ]);
    const imported = () =>
      Promise.all([
        importStatement(db, grace, statementId, now),
        importStatement(db, alan, statementId, now),
        importStatement(db, grace, statementId, now),
      ]);
    expect(await came(imported)).toBe(400n);
    const { rows } = await owner.query(
      "select day::text, state from pool_payouts where statement_id = $1 order by day",
      [statementId],
    );
    expect(rows).toEqual([
      { day: "2026-11-19", state: "proposed" },
      { day: "2026-11-20", state: "recorded" },
    ]);
  });

  test.each([
    ["what is empty", Buffer.alloc(0), "file-empty"],
    ["what is too large", Buffer.alloc(2 * 1024 * 1024 + 1, "a"), "file-too-large"],
    ["what is no table", Buffer.from("Hello"), "no-table"],
  ])("is not kept when it is %s", async (_, content, refusal) => {
    const poolId = await createTestPool(db, grace);
    const kept = keepStatement(db, grace, { poolId, name: "a.csv", content }, now);
    await expect(kept).rejects.toMatchObject(code(refusal));
  });
});

describe("the database refuses, whoever asks", () => {
  const insert = (extra: Record<string, unknown>, on: Pool | PoolClient = owner) => {
    const row = {
      id: randomUUID(),
      day: "2026-11-20",
      units: 700,
      delivered_ghs: 1,
      state: "recorded",
      proposed_at: now,
      decided_at: now,
      ...extra,
    };
    const names = Object.keys(row);
    return on.query(
      `insert into pool_payouts (${names}) values (${names.map((_, at) => `$${at + 1}`)})`,
      Object.values(row),
    );
  };
  const anAct = async (act: string, subject: string, operatorId: string) => {
    const { rows } = await owner.query(
      `insert into audit_log (id, act, operator_id, subject, occurred_at)
       values (gen_random_uuid(), $1, $2, $3, $4) returning id`,
      [act, operatorId, subject, now],
    );
    return rows[0].id;
  };

  test("a transfer from a pool that no payout explains", async () => {
    const post = db.$client.query(
      `select post_transfer(gen_random_uuid(), 'pool-payout:forged', 'pool-payout', '00000000-0000-0000-0000-000000000000',
         '2026-11-20', now(), 'x', '', '{"(custody,BTC,-5)","(pool_receivable,BTC,5)"}')`,
    );
    await expect(post).rejects.toMatchObject(constraint("only_evidence_funds_pool_receivable"));
  });

  test("taking a payout back without a correction", async () => {
    const poolId = await createTestPool(db, grace);
    const id = await createTestPayout(db, grace, { poolId, day: "2026-11-20", now });
    const reverse = db.$client.query(
      `select reverse_transfer(gen_random_uuid(), transfer_id, 'taken back', '2026-11-21', now(), '')
         from pool_payouts where id = $1`,
      [id],
    );
    await expect(reverse).rejects.toMatchObject(constraint("payouts_are_reversed_by_corrections"));
  });

  test("a payout without a transaction or a statement, or of another pool's statement", async () => {
    const poolId = await createTestPool(db, grace);
    const other = await createTestPool(db, grace);
    const id = randomUUID();
    const action = await anAct("payouts/enter", `payout:${id}`, grace.id);
    const bare = { id, pool_id: poolId, units: 0, proposal_action_id: action };
    const delivered = insert({ ...bare, delivered_ghs: 1 });
    await expect(delivered).rejects.toMatchObject(constraint("payouts_rest_on_evidence"));
    const file = { poolId: other, name: "a.csv", content: csv("2026-11-20,1,1,") };
    const { statementId } = await keepStatement(db, grace, file, now);
    const foreign = insert({ ...bare, statement_id: statementId });
    await expect(foreign).rejects.toMatchObject(constraint("statements_are_of_the_same_pool"));
  });

  test("a payout that nobody entered and no pool answered", async () => {
    const poolId = await createTestPool(db, grace);
    const nobody = insert({ pool_id: poolId, txid: txid(), units: 0 });
    await expect(nobody).rejects.toMatchObject(constraint("payouts_have_a_source"));
  });

  test("a recorded payout that is not in the ledger to the satoshi", async () => {
    const poolId = await createTestPool(db, grace);
    const id = randomUUID();
    const action = await anAct("payouts/enter", `payout:${id}`, grace.id);
    const other = await createTestPayout(db, grace, {
      poolId,
      day: "2026-11-19",
      units: 701n,
      now,
    });
    const { rows } = await owner.query("select transfer_id from pool_payouts where id = $1", [
      other,
    ]);
    const forged = { id, pool_id: poolId, txid: txid(), proposal_action_id: action };
    const tried = insert({ ...forged, transfer_id: rows[0].transfer_id });
    await expect(tried).rejects.toMatchObject(constraint("payouts_are_posted"));
    await expect(insert(forged)).rejects.toMatchObject(constraint("payouts_are_posted"));
  });

  test.each([
    [
      "moves another coin, too",
      "house",
      ["custody,BTC,-700", "pool_receivable,BTC,700", "custody,ETH,-5", "pool_receivable,ETH,5"],
    ],
    ["is a customer's", "customer", ["custody,BTC,-700", "pool_receivable,BTC,700"]],
  ])("a payout whose transfer %s", async (_, whose, legs) => {
    const poolId = await createTestPool(db, grace);
    const id = randomUUID();
    const ownerId = whose === "house" ? houseId : randomUUID();
    const acts = {
      proposal_action_id: await anAct("payouts/enter", `payout:${id}`, grace.id),
      decision_action_id: await anAct("payouts/confirm", `payout:${id}`, alan.id),
    };
    const client = await owner.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query(
        `select post_transfer(gen_random_uuid(), 'pool-payout:' || $1::text, 'pool-payout', $2, '2026-11-20', now(), 'x', '', $3) as id`,
        [id, ownerId, `{${legs.map((leg) => `"(${leg})"`)}}`],
      );
      const row = { id, pool_id: poolId, txid: txid(), transfer_id: rows[0].id, ...acts };
      await expect(insert(row, client)).rejects.toMatchObject(constraint("payouts_are_posted"));
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("one person above the limit, also with the right words", async () => {
    const poolId = await createTestPool(db, grace);
    const id = randomUUID();
    const proposal = await anAct("payouts/enter", `payout:${id}`, grace.id);
    const row = {
      id,
      pool_id: poolId,
      txid: txid(),
      units: 200_000_000,
      proposal_action_id: proposal,
    };
    for (const [act, subject, person] of [
      ["payouts/confirm", `payout:${id}`, grace.id],
      ["payouts/confirm", "payout:another", alan.id],
      ["payouts/enter", `payout:${id}`, alan.id],
    ] as const) {
      const decision = await anAct(act, subject, person);
      const tried = insert({ ...row, decision_action_id: decision });
      await expect(tried).rejects.toMatchObject(constraint("large_payouts_need_two_people"));
    }
  });

  test("changing or deleting what was said, and stopping a pool before what it paid", async () => {
    const poolId = await createTestPool(db, grace);
    const id = await createTestPayout(db, grace, { poolId, day: "2026-11-20", now });
    const rewrite = owner.query("update pool_payouts set units = units + 1 where id = $1", [id]);
    await expect(rewrite).rejects.toMatchObject(constraint("payouts_are_never_rewritten"));
    const remove = owner.query("delete from pool_payouts where id = $1", [id]);
    await expect(remove).rejects.toMatchObject(constraint("payouts_are_kept"));
    const stop = stopPool(db, grace, { poolId, countsUntil: "2026-11-19", reason: "No" }, now);
    await expect(stop).rejects.toMatchObject(code("pool-paid-later"));
    const content = csv("2026-11-19,1,1,");
    const { statementId } = await keepStatement(db, grace, { poolId, name: "a", content }, now);
    const forged = owner.query(
      "update pool_statements set content = 'x', sha256 = sha256('x') where id = $1",
      [statementId],
    );
    await expect(forged).rejects.toMatchObject(constraint("statements_are_written_once"));
  });

  test.each([
    "update pool_payouts set units = 1",
    "update pool_statements set name = 'x'",
    "delete from pool_payouts",
    "insert into payout_limits (number, second_person_above_sats, created_at, action_id) overriding system value values (1, 1, now(), gen_random_uuid())",
    "update pools set counts_from = '2027-01-01'",
    "truncate pool_payouts",
  ])("the application itself: %s", async (statement) => {
    await expect(db.$client.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("a statement's hash is that of its bytes", async () => {
  const poolId = await createTestPool(db, grace);
  const content = csv("2026-11-20,1,1,");
  const { statementId } = await keepStatement(db, grace, { poolId, name: "a.csv", content }, now);
  const { rows } = await owner.query(
    "select encode(sha256, 'hex') as hash from pool_statements where id = $1",
    [statementId],
  );
  expect(rows[0].hash).toBe(createHash("sha256").update(content).digest("hex"));
});

describe("where two people can decide", () => {
  async function twoPeople() {
    const { db, owner } = await testDatabase();
    const ada = await createTestOperator(db, { canAct: true });
    const poolId = await createTestPool(db, ada);
    for (let nth = 1; nth <= 9; nth += 1) await readTestNetwork(owner, `2026-11-0${nth}`);
    const enter = async (
      by: typeof ada,
      day: string,
      units: bigint,
      { at = now, deliveredGhs = testHashrateOf(units) } = {},
    ) => {
      const payoutId = await createTestPayout(db, by, {
        poolId,
        day,
        units,
        deliveredGhs,
        now: at,
      });
      return (await findPayout(db, payoutId))?.payout;
    };
    return { db, owner, ada, poolId, enter };
  }
  const alone = 1_000_000n;

  async function withoutGuards(owner: Pool, write: () => Promise<unknown>) {
    const guards = ["payouts_are_never_rewritten", "payouts_are_what_they_say"];
    for (const name of guards) {
      await owner.query(`alter table pool_payouts disable trigger ${name}`);
    }
    await write();
    for (const name of guards) {
      await owner.query(`alter table pool_payouts enable always trigger ${name}`);
    }
  }

  async function letADayPass(owner: Pool) {
    await withoutGuards(owner, () =>
      owner.query("update pool_payouts set recorded_at = recorded_at - interval '24 hours'"),
    );
  }

  test("one person records no more than 0.01 BTC in 24 hours, by hand or from a file", async () => {
    const { db, owner, ada, poolId, enter } = await twoPeople();
    expect((await enter(ada, "2026-11-01", btc))?.state).toBe("recorded");
    const ben = await createTestOperator(db, { role: "approver", canAct: true });
    // What was recorded before, alone, counts: Ada has had her share for today.
    const waits = await enter(ada, "2026-11-02", 1n);
    expect(waits?.state).toBe("proposed");
    await confirmPayout(db, ben, waits?.id ?? "", now);
    const olga = await createTestOperator(db, { role: "owner", canAct: true });
    expect((await enter(olga, "2026-11-03", alone - 5n))?.state).toBe("recorded");
    expect((await enter(olga, "2026-11-04", 6n))?.state).toBe("proposed");
    expect((await enter(olga, "2026-11-05", 5n))?.state).toBe("recorded");
    const tomorrow = new Date(now.getTime() + 86_400_001);
    // Tomorrow comes by PostgreSQL's clock, not by the time that is given.
    expect((await enter(olga, "2026-11-10", 1n, { at: tomorrow }))?.state).toBe("proposed");
    await letADayPass(owner);
    expect((await enter(olga, "2026-11-06", alone, { at: tomorrow }))?.state).toBe("recorded");
    const file = {
      poolId,
      name: "revenue.csv",
      content: csv(
        `2026-11-09,${writeThs(testHashrateOf(999_999n))},0.00999999,`,
        `2026-11-08,${writeThs(testHashrateOf(2n))},0.00000002,`,
        `2026-11-07,${writeThs(testHashrateOf(1n))},0.00000001,`,
      ),
    };
    const later = new Date(now.getTime() + 5 * 86_400_000);
    await letADayPass(owner);
    const { statementId } = await keepStatement(db, olga, file, later);
    const { lines } = await reviewStatement(db, statementId, later, olga.id);
    expect(lines.map(({ outcome }) => outcome)).toMatchObject([
      { does: "record", secondPerson: false },
      { does: "record", secondPerson: "amount" },
      { does: "record", secondPerson: false },
    ]);
    const done = await importStatement(db, olga, statementId, later);
    expect(done).toEqual({ recorded: 2, waiting: 1 });
    const { rows } = await owner.query(
      "select detail->'alone' as alone from audit_log where act in ('payouts/enter', 'payouts/import') order by position",
    );
    expect(rows.map(({ alone }) => alone)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  test("PostgreSQL counts by its own clock, whatever times the application gives", async () => {
    const { db, owner, ada, poolId } = await twoPeople();
    await createTestOperator(db, { role: "approver", canAct: true });
    let ghs = testHashrateOf(alone);
    const record = async (tx: PoolClient, nth: number, decidedAt: string) => {
      const id = randomUUID();
      const day = `2026-11-0${nth}`;
      const at = `2026-11-1${nth}T00:00:00Z`;
      const transfer = await tx.query(
        `select post_transfer(gen_random_uuid(), 'pool-payout:' || $1::text, 'pool-payout', '00000000-0000-0000-0000-000000000000',
           ($2::timestamptz at time zone 'UTC')::date, $3, 'payout:' || $1::text, '', $4) as id`,
        [id, at, decidedAt, `{"(custody,BTC,-${alone})","(pool_receivable,BTC,${alone})"}`],
      );
      await tx.query(
        `with act as (insert into audit_log (id, act, operator_id, subject, occurred_at)
           values (gen_random_uuid(), 'payouts/enter', $1, 'payout:' || $2::text, $5) returning id)
         insert into pool_payouts (id, pool_id, day, units, delivered_ghs, txid, state, proposed_at, proposal_action_id, decided_at, recorded_at, transfer_id)
         select $2::uuid, $3, $4::date, $6, $9, encode(sha256($2::text::bytea), 'hex'), 'recorded', $5, id, $7, '2020-01-01', $8 from act`,
        [ada.id, id, poolId, day, at, `${alone}`, decidedAt, transfer.rows[0].id, `${ghs}`],
      );
    };
    const attempt = async (begin: string, ...times: string[]) => {
      const client = await db.$client.connect();
      try {
        await client.query(begin);
        for (const [nth, time] of times.entries()) await record(client, nth + 1, time);
      } finally {
        await client.query("rollback");
        client.release();
      }
    };
    const first = "2026-11-11T00:00:00Z";
    await attempt("begin", first);
    await expect(attempt("begin", first, "2026-11-12T00:00:00Z")).rejects.toMatchObject(
      constraint("large_payouts_need_two_people"),
    );
    await expect(attempt("begin", "2026-11-11T00:00:01Z")).rejects.toMatchObject(
      constraint("payouts_are_decided_by_their_act"),
    );
    for (const level of ["repeatable read", "serializable"]) {
      await expect(attempt(`begin isolation level ${level}`, first)).rejects.toMatchObject({
        code: "25000",
      });
    }
    // Nor does leaving out who decided pass by the second person whom the hashrate asks for.
    ghs = 1n;
    await expect(attempt("begin", first)).rejects.toMatchObject(
      constraint("large_payouts_need_two_people"),
    );
    expect((await owner.query("select from pool_payouts")).rowCount).toBe(0);
  });

  test("nobody says alone of a hashrate that the day's payouts did not pay for", async () => {
    const { db, ada, poolId, enter, owner } = await twoPeople();
    const ben = await createTestOperator(db, { role: "approver", canAct: true });
    const most = 1_000_000_000_000_000n;
    const sats = 100_000n;
    const usual = testHashrateOf(sats);
    for (const [day, units, deliveredGhs, state] of [
      ["2026-11-01", 0n, most, "proposed"],
      ["2026-11-02", 0n, 0n, "proposed"],
      ["2026-11-03", sats, most, "proposed"],
      ["2026-11-04", sats, usual * 2n + 2n, "proposed"],
      ["2026-11-05", sats, usual / 2n - 1n, "proposed"],
      ["2026-11-06", sats, usual * 2n - 2n, "recorded"],
      ["2026-11-07", sats, usual / 2n + 2n, "recorded"],
      // Nobody asked the network on this day.
      ["2026-10-31", sats, usual, "proposed"],
    ] as const) {
      const payout = await enter(ada, day, units, { deliveredGhs });
      expect(payout?.state, `${day}: ${units} for ${deliveredGhs}`).toBe(state);
      if (state === "recorded") continue;
      const alone = owner.query(
        "update pool_payouts set state = 'recorded', decided_at = $2, decision_action_id = proposal_action_id where id = $1",
        [payout?.id, now],
      );
      await expect(alone).rejects.toMatchObject(constraint("large_payouts_need_two_people"));
      await confirmPayout(db, ben, payout?.id ?? "", now);
    }
    const file = {
      poolId,
      name: "absurd.csv",
      content: csv(`2026-11-08,${writeThs(most)},0.00000100,`),
    };
    const { statementId } = await keepStatement(db, ada, file, now);
    const { lines } = await reviewStatement(db, statementId, now, ada.id);
    expect(lines[0]?.outcome).toEqual({ does: "record", secondPerson: "hashrate" });
    expect(await importStatement(db, ada, statementId, now)).toEqual({ recorded: 0, waiting: 1 });
  });

  test("a figure of the network that is brought later moves no bound, and one among several neither", async () => {
    const { db, ada, enter, owner } = await twoPeople();
    await createTestOperator(db, { role: "approver", canAct: true });
    // With it, a gigahash would have been paid 629,145 satoshis.
    await createTestNetwork(db, "2026-10-30", { difficulty: 10_000_000n });
    const forged = await enter(ada, "2026-10-30", 629_145n, { deliveredGhs: 1n });
    expect(forged?.state).toBe("proposed");
    const among = `insert into network_figures (observed_at, recorded_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
        fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
      select at, at, host, simulated, height, $2, hashrate_hs, subsidy_sats, fees_per_block_sats, fastest_fee_sat_per_vb,
             half_hour_fee_sat_per_vb, hour_fee_sat_per_vb
        from network_figures, (select $1::timestamptz as at) each where observed_at = '2026-11-01T23:50:00Z'`;
    await owner.query(among, ["2026-11-01T10:00:00Z", "150000000000000"]);
    await owner.query(among, ["2026-11-01T23:59:00Z", "1500000000000000000"]);
    const absurd = { deliveredGhs: testHashrateOf(10_000n) * 10_000n };
    expect((await enter(ada, "2026-11-01", 10_000n, absurd))?.state).toBe("proposed");
    expect((await enter(ada, "2026-11-02", 10_000n))?.state).toBe("recorded");
  });

  test("PostgreSQL holds it, and takes the word of nobody who did something else", async () => {
    const { db, owner, ada, poolId, enter } = await twoPeople();
    const ben = await createTestOperator(db, { role: "approver", canAct: true });
    await expect(
      owner.query(
        `with act as (insert into audit_log (id, act, operator_id, subject, occurred_at)
           values (uuidv7(), 'payouts/enter', $1, 'payout:' || $2::text, now()) returning id)
         insert into pool_payouts (id, pool_id, day, units, delivered_ghs, txid, state, proposed_at, proposal_action_id, decided_at, decision_action_id)
         select $2::uuid, $3, '2026-11-01', $4, 1, repeat('ab', 32), 'recorded', now(), id, now(), id from act`,
        [ada.id, randomUUID(), poolId, `${alone + 1n}`],
      ),
    ).rejects.toMatchObject(constraint("large_payouts_need_two_people"));
    // What Ben did elsewhere is no word of his on this payout.
    const own = await enter(ada, "2026-11-02", alone + 1n);
    await withoutGuards(owner, () =>
      owner.query(
        `with act as (insert into audit_log (id, act, operator_id, subject, occurred_at)
           values (uuidv7(), 'deposits/reject', $1, 'deposit:1', now()) returning id)
         update pool_payouts set proposal_action_id = act.id from act where pool_payouts.id = $2`,
        [ben.id, own?.id],
      ),
    );
    await expect(confirmPayout(db, ada, own?.id ?? "", now)).rejects.toMatchObject(
      code("second-person-needed"),
    );
  });
});
