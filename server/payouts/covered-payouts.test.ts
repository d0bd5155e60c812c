import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays } from "#core/utc-day.ts";
import { sql } from "#server/platform/sql.ts";
import { openTestWallet } from "#tests/factories/chain.ts";
import { readTestNetwork, testHashrateOf } from "#tests/factories/mining.ts";
import { actOnServer, changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { nameTestAddress, startTestChain } from "#tests/factories/pool-coins.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { verifyClaims } from "../ledger/verify/verify-claims.ts";
import { payoutClaims } from "./claims.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { correctPayout } from "./correct-payout.ts";
import { findLack } from "./find-lack.ts";
import { findPayout } from "./find-payout.ts";
import { listPoolCover } from "./list-pool-cover.ts";
import { listPools } from "./list-pools.ts";
import { recordCovered } from "./record-covered.ts";
import { setWatchUrl } from "./set-watch-url.ts";

const { db, owner } = await testDatabase();
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
const key = await openTestWallet(db, alan);
const chain = await startTestChain(db, owner);
const now = new Date("2026-11-21T06:00:00Z");
const btc = 100_000_000n;
/** Less does not count. */
const least = 10_000n;

async function pool() {
  const poolId = await createTestPool(db, grace, { countsFrom: "2025-11-01" });
  return { poolId, address: await nameTestAddress(db, grace, { poolId, key }) };
}
const enter = (wanted: { poolId: string; day?: string; units?: bigint; txid?: string }) =>
  createTestPayout(db, grace, { day: "2026-11-20", units: btc, now, ...wanted });
const payoutOf = async (id: string) => (await findPayout(db, id))?.payout;
const stateOf = async (id: string) => {
  const { state, covered, unseenReason } = (await payoutOf(id)) ?? {};
  return { state, covered, unseenReason };
};
const cover = () => recordCovered(db, now);
/** What is noted of a pool's coins, so many days from now. */
async function amiss(poolId: string, days = 0) {
  const at = new Date(Date.now() + days * 86_400_000).toISOString();
  await db.execute(sql`select note_coins_amiss(${at}::timestamptz)`);
  const noted = sql`select unexplained_since from coins_amiss where pool_id = ${poolId}`;
  return (await db.execute(noted)).rows;
}
const waits = { state: "proposed", covered: false, unseenReason: null };
const seen = { state: "recorded", covered: true, unseenReason: null };
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );

test("what a pool's coins cover is recorded by one person, whatever the amount, and what they do not waits for them", async () => {
  const { poolId, address } = await pool();
  await chain.mine(address, 5n * btc);
  expect(await stateOf(await enter({ poolId, units: 3n * btc }))).toEqual(seen);
  const more = await enter({ poolId, day: "2026-11-19", units: 3n * btc });
  expect(await stateOf(more)).toEqual(waits);
  const asked = { poolId, units: 3n * btc, corrects: null };
  expect(await findLack(db, asked)).toEqual({ lack: btc, covers: false });
  expect(await cover()).toEqual({ recorded: 0, failures: [] });
  await chain.mine(address, btc - least);
  await chain.mine(address, least - 1n);
  await chain.mine(address, least, { blocks: 5 });
  expect(await cover()).toMatchObject({ recorded: 0 });
  await chain.mine(address, least);
  // Any number of workers at once.
  const all = await Promise.all([cover(), cover(), cover()]);
  expect(all.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(1);
  expect(all.flatMap(({ failures }) => failures)).toEqual([]);
  expect(await stateOf(more)).toEqual(seen);
});

test("a made-up transaction, one that pays somebody else and the wallet's own coins cover nothing", async () => {
  const { poolId } = await pool();
  const other = await pool();
  const elsewhere = await chain.mine(other.address, btc);
  const own = await pool();
  await chain.mine(own.address, btc, { spends: [`${elsewhere}:0`] });
  const made = await enter({ poolId });
  const others = await enter({ poolId, day: "2026-11-19", txid: elsewhere });
  const round = await enter({ poolId: own.poolId });
  await cover();
  for (const id of [made, others, round]) expect(await stateOf(id)).toEqual(waits);
});

test("what was not seen is recorded by two people with a public reason, frees no coins and takes none", async () => {
  const { poolId, address } = await pool();
  const id = await enter({ poolId, units: 1n });
  expect(await refusal(confirmPayout(db, alan, id, now))).toBe("payouts/coins-missing");
  expect(await refusal(confirmPayout(db, alan, id, now, "  "))).toBe("payouts/coins-missing");
  const reason = "The pool paid to its old address";
  expect(await refusal(confirmPayout(db, grace, id, now, reason))).toBe("payouts/own-proposal");
  await confirmPayout(db, alan, id, now, reason);
  expect(await stateOf(id)).toEqual({ state: "recorded", covered: false, unseenReason: reason });
  await chain.mine(address, btc);
  expect(await stateOf(await enter({ poolId, day: "2026-11-19" }))).toEqual(seen);
  const { rows } = await owner.query(
    "select detail from audit_log where act = 'payouts/confirm' and subject = $1",
    [`payout:${id}`],
  );
  expect(rows[0].detail).toMatchObject({ unseenReason: reason });
});

test("PostgreSQL records nothing unseen without a reason and a second person, and believes no word that coins cover it", async () => {
  const { poolId } = await pool();
  const id = await enter({ poolId, units: 1_000n });
  const { proposalActionId } = (await payoutOf(id)) ?? {};
  const { rows } = await owner.query("select occurred_at from audit_log where id = $1", [
    proposalActionId,
  ]);
  const record = (more: string) =>
    owner.query(
      `update pool_payouts set state = 'recorded', decided_at = $2, decision_action_id = proposal_action_id, ${more} where id = $1`,
      [id, rows[0].occurred_at],
    );
  await expect(record("covered = true")).rejects.toMatchObject({
    constraint: "payouts_are_seen_or_say_why",
  });
  await expect(record("unseen_reason = 'Trust me'")).rejects.toMatchObject({
    constraint: "large_payouts_need_two_people",
  });
  expect(await stateOf(id)).toEqual(waits);
});

test("a coin that leaves the chain takes its word along: nothing is undone, and what comes after waits until coins cover it all", async () => {
  const { poolId, address } = await pool();
  const coin = await chain.mine(address, btc);
  const first = await enter({ poolId, day: "2026-11-18" });
  await chain.leave(coin);
  expect(await stateOf(first)).toEqual(seen);
  expect((await findLack(db, { poolId, units: 1n, corrects: null })).lack).toBe(btc + 1n);
  expect(await amiss(poolId)).toEqual([{ unexplained_since: null }]);
  await chain.mine(address, btc);
  expect(await amiss(poolId)).toEqual([]);
  const second = await enter({ poolId, day: "2026-11-19" });
  expect(await stateOf(second)).toEqual(waits);
  await chain.mine(address, btc);
  await cover();
  expect(await stateOf(second)).toEqual(seen);
});

test("coins that no payout explains are noted with the time since when, by any number of workers, and dust is not", async () => {
  const { poolId, address } = await pool();
  await chain.mine(address, btc + least - 1n);
  await enter({ poolId });
  expect(await amiss(poolId)).toEqual([]);
  await chain.mine(address, least);
  const [noted] = (await Promise.all([amiss(poolId), amiss(poolId), amiss(poolId)])).flat();
  expect(noted).toEqual({ unexplained_since: expect.any(String) });
  expect(await amiss(poolId, 8)).toEqual([noted]);
  await chain.setHealth("stale");
  expect(await amiss(poolId, 9)).toEqual([noted]);
  await chain.setHealth("following");
  await enter({ poolId, day: "2026-11-19", units: least });
  expect(await amiss(poolId, 8)).toEqual([]);
});

test("a receipt names the coins whose part of the sum meets its payout's, and none once they have left", async () => {
  const { poolId, address } = await pool();
  const coinsOf = async (id: string) => {
    const { rows } = await owner.query(
      "select coins_of_payout(p) as coins from pool_payouts p where id = $1",
      [id],
    );
    return rows[0].coins?.map(({ txid }: { txid: string }) => txid) ?? null;
  };
  const first = await chain.mine(address, 3n * btc);
  const [a, b] = [
    await enter({ poolId, day: "2026-11-16" }),
    await enter({ poolId, day: "2026-11-17" }),
  ];
  const second = await chain.mine(address, 2n * btc);
  const [c, d] = [
    await enter({ poolId, day: "2026-11-18", units: 2n * btc }),
    await enter({ poolId, day: "2026-11-19", units: btc }),
  ];
  expect(await coinsOf(a)).toEqual([first]);
  expect(await coinsOf(b)).toEqual([first]);
  expect(await coinsOf(c)).toEqual([first, second]);
  expect(await coinsOf(d)).toEqual([second]);
  await chain.leave(second);
  expect(await coinsOf(b)).toEqual([first]);
  expect(await coinsOf(c)).toBeNull();
  expect(await coinsOf(d)).toBeNull();
});

test("while the chain's source cannot be used, coins cover nothing", async () => {
  const { poolId, address } = await pool();
  await chain.mine(address, btc);
  await chain.setHealth("lying");
  const id = await enter({ poolId });
  const more = await enter({ poolId, day: "2026-11-19", units: 1n });
  await cover();
  expect(await stateOf(id)).toEqual(waits);
  // Two people go on.
  const reason = "The node is down";
  await confirmPayout(db, alan, more, now, reason);
  expect(await stateOf(more)).toEqual({ state: "recorded", covered: false, unseenReason: reason });
  await chain.setHealth("following");
  await cover();
  expect(await stateOf(id)).toEqual(seen);
});

test("a correction takes two people and frees what covered the payout that it corrects", async () => {
  const { poolId, address } = await pool();
  await chain.mine(address, btc);
  const id = await enter({ poolId });
  const correct = async (units: bigint, corrects: string) => {
    const payoutId = randomUUID();
    const said = { units, deliveredGhs: 1_000_000n, txid: "ab".repeat(32), statementId: null };
    const correction = { payoutId, corrects, ...said, reason: "Misread" };
    await correctPayout(db, grace, correction, now);
    return payoutId;
  };
  const less = await correct(btc - 5n, id);
  await cover();
  expect(await stateOf(less)).toEqual(waits);
  await confirmPayout(db, alan, less, now);
  expect(await stateOf(less)).toEqual(seen);
  const more = await correct(btc + 1n, less);
  expect(await refusal(confirmPayout(db, alan, more, now))).toBe("payouts/coins-missing");
  // What is not seen of the day frees nothing: the coins go on covering what they covered.
  await confirmPayout(db, alan, more, now, "A satoshi went elsewhere");
  expect((await findLack(db, { poolId, units: 6n, corrects: null })).lack).toBe(1n);
  const sums = async () => (await listPoolCover(db, poolId))[0];
  expect(await sums()).toMatchObject({ seen: btc, covered: btc - 5n, uncovered: 6n });
  const again = await correct(btc, more);
  await confirmPayout(db, alan, again, now);
  expect(await stateOf(again)).toEqual(seen);
  expect(await sums()).toMatchObject({ seen: btc, covered: btc, uncovered: 0n });
  expect((await findLack(db, { poolId, units: 1n, corrects: null })).lack).toBe(1n);
});

test("coins that come after two people recorded their payout without them cover it by the same correction", async () => {
  const { poolId, address } = await pool();
  const id = await enter({ poolId });
  await confirmPayout(db, alan, id, now, "Late");
  await chain.mine(address, btc);
  const { txid = null } = (await payoutOf(id)) ?? {};
  const payoutId = randomUUID();
  const same = { units: btc, deliveredGhs: 1_000_000n, txid, statementId: null };
  await correctPayout(db, grace, { payoutId, corrects: id, ...same, reason: "They came" }, now);
  await confirmPayout(db, alan, payoutId, now);
  expect(await stateOf(payoutId)).toEqual(seen);
});

test("who has left the staff has nothing recorded by coins", async () => {
  const mallory = await createTestOperator(db);
  const { poolId, address } = await pool();
  const wanted = { poolId, day: "2026-11-20", units: btc, now };
  const id = await createTestPayout(db, mallory, wanted);
  await changeTestOperator(owner, mallory.id, { state: "suspended" });
  await chain.mine(address, btc);
  expect(await cover()).toEqual({ recorded: 0, failures: [] });
  expect(await stateOf(id)).toEqual(waits);
});

test("entering and the job at once take the coins once", async () => {
  const { poolId, address } = await pool();
  const first = await enter({ poolId });
  await chain.mine(address, btc);
  const [, second] = await Promise.all([cover(), enter({ poolId, day: "2026-11-19" }), cover()]);
  const states = [await stateOf(first), await stateOf(second)];
  expect(states.filter(({ covered }) => covered)).toHaveLength(1);
});

test("on the main network nothing is recorded without coins, where the pool has no address either", async () => {
  const poolId = await createTestPool(db, grace);
  expect((await findLack(db, { poolId, units: 1n, corrects: null })).lack).toBeNull();
  await owner.query("insert into installation values (true, 'mainnet', false, now())");
  const id = await enter({ poolId, units: 1n });
  expect(await stateOf(id)).toEqual(waits);
  expect(await refusal(confirmPayout(db, alan, id, now))).toBe("payouts/coins-missing");
  await owner.query("alter table installation disable trigger user; delete from installation");
});

test("a year of a pool that pays each fifth day, and a season of one that pays a month late and of one that pays a satoshi less", async () => {
  const begin = "2025-11-01";
  const units = 1_000_000n;
  const pools = {
    threshold: { ...(await pool()), days: 365, every: 5, pays: units * 5n },
    late: { ...(await pool()), days: 90, every: 1, pays: units, from: 30 },
    short: { ...(await pool()), days: 90, every: 1, pays: units - 1n },
  };
  const recordedOf = async (poolId: string) => {
    const { rows } = await owner.query(
      "select count(*)::int as days, min(day)::text as first, max(day)::text as last from covered_payouts($1)",
      [poolId],
    );
    return rows[0];
  };
  // All days are said at the start, as by a file.
  for (const { poolId, days } of Object.values(pools)) {
    const act = await actOnServer(owner, "payouts/keep-statement", `statement:${poolId}`);
    await owner.query(
      `insert into pool_statements values ($1, $1, 'file', 'Year', 'x', sha256('x'), now(), $2)`,
      [poolId, act],
    );
    const all = randomUUID();
    await owner.query(
      `insert into audit_log (id, act, operator_id, subject, detail, occurred_at)
       values ($1, 'payouts/import', $2, $3, '{}', now())`,
      [all, grace.id, `statement:${poolId}`],
    );
    await owner.query(
      `insert into pool_payouts (id, pool_id, day, units, delivered_ghs, statement_id, state, proposed_at, proposal_action_id)
       select gen_random_uuid(), $1, day, $2, 0, $1, 'proposed', now(), $3
         from generate_series($4::date, $4::date + $5::int - 1, interval '1 day') day`,
      [poolId, String(units), all, begin, days],
    );
  }
  const mineDays = async (from: number, until: number) => {
    for (const { address, days, every, pays, ...pool } of Object.values(pools)) {
      const begins = Math.max(from, "from" in pool ? pool.from : 0);
      for (let n = begins + every; n <= Math.min(until, days); n += every)
        await chain.mine(address, pays);
    }
    await cover();
  };
  await mineDays(0, 35);
  expect(await recordedOf(pools.threshold.poolId)).toMatchObject({ days: 35 });
  expect(await recordedOf(pools.late.poolId)).toMatchObject({ days: 5, last: addDays(begin, 4) });
  expect(await recordedOf(pools.short.poolId)).toMatchObject({ days: 34 });
  await mineDays(35, 200);
  await mineDays(200, 365);
  expect(await recordedOf(pools.threshold.poolId)).toMatchObject({ days: 365 });
  expect(await recordedOf(pools.late.poolId)).toMatchObject({ days: 60, first: begin });
  expect(await recordedOf(pools.short.poolId)).toMatchObject({ days: 89 });
});

test("where another person could look, a hashrate that does not fit takes two, also with coins; one that fits takes one above what one records alone", async () => {
  await createTestOperator(db, { canAct: true });
  await readTestNetwork(owner, "2026-11-16");
  await readTestNetwork(owner, "2026-11-17");
  const { poolId, address } = await pool();
  await chain.mine(address, 4n * btc);
  const doubtful = await enter({ poolId, day: "2026-11-17" });
  await cover();
  expect(await stateOf(doubtful)).toEqual(waits);
  await confirmPayout(db, alan, doubtful, now);
  expect(await stateOf(doubtful)).toEqual(seen);
  const wanted = { poolId, day: "2026-11-16", units: 2n * btc, now };
  const deliveredGhs = testHashrateOf(wanted.units);
  expect(await stateOf(await createTestPayout(db, grace, { ...wanted, deliveredGhs }))).toEqual(
    seen,
  );
});

test("a pool's own page is named in public by its host, changed by another and taken back; only a plain link is one", async () => {
  const { poolId } = await pool();
  const pageOf = async () => (await listPools(db)).find(({ id }) => id === poolId)?.watchUrl;
  const set = (url: string | null) => setWatchUrl(db, grace, { poolId, url }, now);
  for (const bad of [
    ...["http://pool.example/w", "javascript:alert(1)", "https://ada:secret@pool.example/"],
    ...["pool.example", "", `https://pool.example/${"w".repeat(500)}`],
  ]) {
    await expect(set(bad)).rejects.toMatchObject({ code: "payouts/not-a-link" });
  }
  await set(" https://pool.example/watch?key=1 ");
  await set("https://pool.example/watch?key=1");
  expect(await pageOf()).toBe("https://pool.example/watch?key=1");
  await set("https://pool.example");
  expect(await pageOf()).toBe("https://pool.example/");
  await set(null);
  expect(await pageOf()).toBeNull();
  const { rows } = await owner.query(
    "select count(*)::int as named from pool_watch_urls where pool_id = $1",
    [poolId],
  );
  expect(rows).toEqual([{ named: 3 }]);
  await expect(
    owner.query(
      "insert into pool_watch_urls (pool_id, url, created_at, action_id) select $1, 'javascript:1', now(), action_id from pools limit 1",
      [poolId],
    ),
  ).rejects.toMatchObject({ constraint: expect.stringMatching(/watch_urls_are_links|acts_are/) });
});

test("the books hold", async () => {
  expect((await verifyClaims(db, payoutClaims)).filter(({ holds }) => !holds)).toEqual([]);
});
