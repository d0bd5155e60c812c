import { afterAll, beforeEach, expect, test } from "vitest";
import { openLog } from "#server/platform/log/log.ts";
import { readTestNetwork, testHashrateOf } from "#tests/factories/mining.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { drip, hang, pourForEver, startOutsideServer } from "#tests/fakes/outside-server.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { confirmPayout } from "../confirm-payout.ts";
import { readStatementBytes } from "../find-statement.ts";
import { listPayouts } from "../list-payouts.ts";
import { refusePayout } from "../refuse-payout.ts";
import { vouchForPayout } from "../vouch-for-payout.ts";
import { listPulls } from "./list-pulls.ts";
import { pullPayouts } from "./pull-payouts.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const alan = await createTestOperator(db);
const pool = await startOutsideServer();
afterAll(() => pool.stop());
const rewardsPath = "/accounts/rewards/json/btc";
const hashratesPath = "/accounts/hash_rate_daily/json/group/btc";
const log = openLog("silent");
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;

/** As the pool answers: rewards as texts, hashrates as numbers. */
function answer(days: Array<{ day: string; reward: string; ghs: string; calculated?: number }>) {
  const rewards = days.map(
    (each) =>
      `{"date": ${day(each.day)}, "total_reward": "${each.reward}", "mining_reward": "${each.reward}", "calculation_date": ${each.calculated ?? day(each.day) + 90_000}}`,
  );
  const hashrates = days.map(
    (each) =>
      `{"date": ${day(each.day)}, "hash_rate_unit": "Gh/s", "hash_rate_24h": ${each.ghs}, "total_shares": 1}`,
  );
  pool.serve(rewardsPath, { body: `{"btc": {"daily_rewards": [${rewards}]}}` });
  pool.serve(hashratesPath, { body: `{"btc": [${hashrates}]}` });
}

const two = [
  { day: "2026-11-19", reward: "0.00968840", ghs: "20011870.5" },
  { day: "2026-11-20", reward: "0.00973412", ghs: "2.01043005e7" },
];

let poolId = "";
beforeEach(async () => {
  pool.requests.length = 0;
  const earlier = await db.execute("select id from pools where counts_until is null");
  for (const { id } of earlier.rows as Array<{ id: string }>) {
    await owner.query("alter table pools disable trigger pools_stop_once");
    await owner.query(
      "update pools set counts_until = '2026-12-31', stopped_action_id = action_id where id = $1",
      [id],
    );
    await owner.query("alter table pools enable trigger pools_stop_once");
  }
  poolId = await createTestPool(db, grace, { format: "braiins", countsFrom: "2026-11-19" });
});

async function pull(
  at = "2026-11-21T01:00:00Z",
  access: Partial<Parameters<typeof pullPayouts>[1]> = {},
) {
  const to = { url: pool.url, token: "read-only", pauseMs: 0, timeoutMs: 300, ...access };
  await pullPayouts(db, to, { now: new Date(at), log });
}

async function payouts() {
  const all = await listPayouts(db, { limit: 1000 });
  return all.filter((payout) => payout.poolId === poolId).reverse();
}

async function state() {
  return (await listPulls(db)).find((each) => each.poolId === poolId);
}

test("records what the pool paid for missing days, with the answers byte for byte, and asks once an hour", async () => {
  answer(two);
  await Promise.all([pull(), pull(), pull()]);
  const found = await payouts();
  expect(found).toMatchObject([
    { day: "2026-11-19", units: 968_840n, deliveredGhs: 20_011_870n, state: "recorded" },
    { day: "2026-11-20", units: 973_412n, deliveredGhs: 20_104_300n, proposalActionId: null },
  ]);
  expect(pool.requests.map(({ path }) => path)).toEqual([rewardsPath, hashratesPath]);
  expect(pool.requests[0]?.headers["pool-auth-token"]).toBe("read-only");
  const statement = Buffer.from((await readStatementBytes(db, found[0]?.statementId ?? "")) ?? []);
  expect(statement.toString()).toContain('"total_reward": "0.00968840"');
  expect(statement.toString()).toContain('"hash_rate_24h": 20011870.5');
  await pull("2026-11-21T01:50:00Z");
  expect(pool.requests).toHaveLength(2);
  await pull("2026-11-21T02:00:00Z");
  expect(pool.requests).toHaveLength(4);
  expect(await payouts()).toHaveLength(2);
});

test("lets what is above the limit wait for two people", async () => {
  answer([{ day: "2026-11-20", reward: "1.00000001", ghs: "1" }]);
  await pull();
  const [payout] = await payouts();
  const id = payout?.id ?? "";
  expect(payout?.state).toBe("proposed");
  const now = new Date("2026-11-21T09:00:00Z");
  await expect(confirmPayout(db, alan, id, now)).rejects.toMatchObject({
    code: "payouts/nobody-stands-for-it",
  });
  await vouchForPayout(db, grace, id, now);
  await expect(confirmPayout(db, grace, id, now)).rejects.toMatchObject({
    code: "payouts/own-proposal",
  });
  await confirmPayout(db, alan, id, now);
  expect((await payouts())[0]?.state).toBe("recorded");
});

test("lets what does not fit its hashrate wait, where two could stand for it", async () => {
  await readTestNetwork(owner, "2026-11-19");
  await readTestNetwork(owner, "2026-11-20");
  const fits = `${testHashrateOf(1_000_000n)}`;
  answer([
    { day: "2026-11-19", reward: "0.01", ghs: fits },
    { day: "2026-11-20", reward: "0.01", ghs: "1000000000000" },
  ]);
  // With one person alone it is recorded: nobody could confirm it.
  const { rows } = await owner.query(
    "select payout_hashrate_needs_two(null, 1000000, 1000000000000, '2026-11-20') as needed",
  );
  expect(rows).toEqual([{ needed: false }]);
  const two = [
    await createTestOperator(db, { role: "treasurer", canAct: true }),
    await createTestOperator(db, { role: "approver", canAct: true }),
  ];
  await pull();
  expect((await payouts()).map(({ day, state }) => [day, state])).toEqual([
    ["2026-11-19", "recorded"],
    ["2026-11-20", "proposed"],
  ]);
  for (const { id } of two) await changeTestOperator(owner, id, { state: "suspended" });
});

test("does not bring up again what staff refused", async () => {
  answer([{ day: "2026-11-20", reward: "2", ghs: "1" }]);
  await pull();
  const [payout] = await payouts();
  const now = new Date("2026-11-21T09:00:00Z");
  await refusePayout(db, alan, { payoutId: payout?.id ?? "", reason: "Never arrived" }, now);
  await pull("2026-11-21T10:00:00Z");
  expect(await payouts()).toHaveLength(1);
});

test("leaves out a day that the pool has not calculated to its end, or has no hashrate of", async () => {
  answer([
    { day: "2026-11-19", reward: "0.1", ghs: "1", calculated: day("2026-11-19") + 40_000 },
    { day: "2026-11-20", reward: "0.1", ghs: "1" },
  ]);
  pool.serve(hashratesPath, { body: '{"btc": []}' });
  await pull();
  expect(await payouts()).toEqual([]);
  expect(await state()).toMatchObject({ failures: 0 });
});

test("notes what the pool says otherwise than is recorded, and changes nothing", async () => {
  const units = 5n;
  const entered = { poolId, day: "2026-11-20", units, now: new Date("2026-11-21T00:30:00Z") };
  const payoutId = await createTestPayout(db, grace, entered);
  answer(two);
  await pull();
  expect((await payouts()).map((each) => each.units)).toEqual([968_840n, 5n]);
  expect((await state())?.differences).toEqual([
    { day: "2026-11-20", sats: "973412", deliveredGhs: "20104300", payoutId },
  ]);
});

test.each([
  ["is down", { status: 503 }, "answered 503"],
  ["refuses the token", { status: 403 }, "refused the token"],
  ["sends nonsense", { body: "<html>Maintenance</html>" }, "sent what nobody can read"],
  [
    "sends other figures",
    { body: '{"btc": {"daily_rewards": [{"date": 1}]}}' },
    "sent what nobody can read",
  ],
  [
    "counts days of another zone",
    { body: '{"btc": {"daily_rewards": [{"date": 1795104000, "total_reward": "1"}]}}' },
    "counts days of another time zone",
  ],
  [
    "sends us elsewhere",
    { status: 302, headers: { location: "http://127.0.0.1:9" } },
    "could not be reached",
  ],
  ["never answers", { misbehave: hang }, "did not answer in time"],
  ["answers a byte at a time", { misbehave: drip }, "did not answer in time"],
  ["sends for ever", { misbehave: pourForEver }, "sent too much"],
])("a pool that %s is written down, and asked again later each time", async (_, bad, reason) => {
  answer(two);
  pool.serve(rewardsPath, bad);
  await pull("2026-11-21T01:00:00Z", { timeoutMs: 1_000 });
  expect(await payouts()).toEqual([]);
  expect(await state()).toMatchObject({ failures: 1, lastFailure: reason, succeededAt: null });
  expect((await state())?.askAgainAt).toEqual(new Date("2026-11-21T01:10:00Z"));
  await pull("2026-11-21T01:10:00Z", { timeoutMs: 1_000 });
  expect((await state())?.askAgainAt).toEqual(new Date("2026-11-21T01:30:00Z"));
  answer(two);
  await pull("2026-11-21T01:30:00Z");
  expect(await state()).toMatchObject({ failures: 0, lastFailure: null });
  expect(await payouts()).toHaveLength(2);
});

test("what went wrong here is tried again within a minute", async () => {
  answer(two);
  await owner.query("alter table pool_statements rename to statements_away");
  await expect(pull("2026-11-21T01:00:00Z")).rejects.toThrow();
  await owner.query("alter table statements_away rename to pool_statements");
  expect(await state()).toMatchObject({ failures: 0, lastFailure: null });
  await pull("2026-11-21T01:01:00Z");
  expect(await payouts()).toHaveLength(2);
});

test("leaves a pool alone for as long as it asks", async () => {
  pool.serve(rewardsPath, { status: 429, headers: { "retry-after": "7200" } });
  await pull();
  expect(await state()).toMatchObject({ lastFailure: "is asked too often" });
  expect((await state())?.askAgainAt).toEqual(new Date("2026-11-21T03:00:00Z"));
});

test("asks for nobody when two pools could be meant", async () => {
  await createTestPool(db, grace, { format: "braiins" });
  answer(two);
  await pull();
  expect(pool.requests).toEqual([]);
});

test("reads what a pool paid for its last days after it has ended, for a week", async () => {
  const end = async (day: string) => {
    await owner.query("alter table pools disable trigger user");
    await owner.query("update pools set format = 'other' where id <> $1", [poolId]);
    await owner.query(
      "update pools set counts_until = $2, stopped_action_id = action_id where id = $1",
      [poolId, day],
    );
    await owner.query("alter table pools enable trigger user");
  };
  answer(two);
  await end("2026-11-19");
  await pull("2026-11-27T01:00:00Z");
  expect(pool.requests).toEqual([]);
  await pull("2026-11-26T23:00:00Z");
  expect(await payouts()).toMatchObject([{ day: "2026-11-19", units: 968_840n }]);
});
