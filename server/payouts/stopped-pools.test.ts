import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestPool, recordTestPayout } from "#tests/factories/mining.ts";
import { actOnServer, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { addPool } from "./add-pool.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { enterPayout } from "./enter-payout.ts";
import { refusePayout } from "./refuse-payout.ts";
import { stopPool } from "./stop-pool.ts";

const { db, owner } = await testDatabase();

test("a pool does not stop before a day for which somebody is just writing down what it paid", async () => {
  const poolId = await createTestPool(db, { from: "2026-03-01" });
  const actionId = await actOnServer(owner, "payouts/stop-pool", `pool:${poolId}`);
  // The payout is written, and not yet committed, when the pool is stopped.
  await owner.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(42); return null; end $$;
    create trigger payouts_wait after insert on pool_payouts for each row execute function wait_for_test()`);
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const countWaiting = async () => (await owner.query(waiting)).rowCount;
  const holding = await owner.connect();
  await holding.query("select pg_advisory_lock(42)");
  const paying = recordTestPayout(db, {
    poolId,
    day: "2026-03-05",
    units: 100n,
    deliveredGhs: 1_000n,
  });
  const written = "select from pg_locks where locktype = 'advisory' and objid = 42 and not granted";
  await expect.poll(async () => (await owner.query(written)).rowCount, { interval: 5 }).toBe(1);
  const stop = "update pools set counts_until = '2026-03-03', stopped_action_id = $2 where id = $1";
  const stopping = owner.query(stop, [poolId, actionId]).then(
    () => "stopped",
    (error) => error.constraint,
  );
  await Promise.race([stopping, expect.poll(countWaiting, { interval: 5 }).toBe(2)]);
  await holding.query("select pg_advisory_unlock(42)");
  holding.release();
  await paying;
  expect(await stopping).toBe("pools_stop_once");
});

test("where two can look, nobody ends a pool before today; that it paid nothing for one takes two people", async () => {
  const now = new Date("2026-03-05T09:00:00Z");
  const [grace, alan] = [
    await createTestOperator(db, { canAct: true }),
    await createTestOperator(db, { canAct: true }),
  ];
  const poolId = await createTestPool(db, { from: "2026-03-01" });
  // A payout is refused by one person, who then ends the pool before it: customers would get nothing for that day.
  const enter = (day: string, units: bigint, txid: string | null) => {
    const payoutId = randomUUID();
    const deliveredGhs = units === 0n ? 0n : 1_000n;
    const payout = { payoutId, poolId, day, units, deliveredGhs, txid };
    return enterPayout(db, grace, payout, now).then((done) => ({ payoutId, ...done }));
  };
  const paid = await enter("2026-03-04", 90_000_000n, "ab".repeat(32));
  await refusePayout(db, alan, { payoutId: paid.payoutId, reason: "Not ours" }, now);
  const stop = (countsUntil: string) =>
    stopPool(db, alan, { poolId, countsUntil, reason: "It ended" }, now).then(
      () => "stopped",
      ({ code }) => code,
    );
  expect(await stop("2026-03-03")).toBe("payouts/day-is-over");
  expect(await stop("2026-03-04")).toBe("payouts/day-is-over");
  // Without a transaction nothing is entered but that nothing was paid.
  await expect(enter("2026-03-04", 1n, null)).rejects.toMatchObject({
    code: "payouts/evidence-missing",
  });
  const nothing = await enter("2026-03-04", 0n, null);
  expect(nothing.state).toBe("proposed");
  await confirmPayout(db, alan, nothing.payoutId, now);
  expect(await stop("2026-04-06")).toBe("payouts/too-far-ahead");
  expect(await stop("2026-03-05")).toBe("stopped");
  // What was added by mistake never counts, if that is said within a day.
  const never = async (hours: number) => {
    const mistaken = { name: randomUUID(), format: "other" as const, countsFrom: "2026-02-05" };
    const { poolId: id } = await addPool(db, alan, mistaken, now);
    const at = new Date(now.getTime() + hours * 3_600_000);
    const wanted = { poolId: id, countsUntil: "2026-02-04", reason: "A typo" };
    return stopPool(db, alan, wanted, at).then(
      () => "stopped",
      ({ code }) => code,
    );
  };
  expect([await never(23), await never(24)]).toEqual(["stopped", "payouts/day-is-over"]);
});

test("where two can look, a pool that pays goes on for a week; sooner it ends once two people, or the pool, said that it paid nothing", async () => {
  const at = (day: string) => new Date(`${day}T09:00:00Z`);
  const [grace, alan] = [
    await createTestOperator(db, { canAct: true }),
    await createTestOperator(db, { canAct: true }),
  ];
  const started = async () => {
    const poolId = await createTestPool(db, { from: "2026-03-01" });
    await recordTestPayout(db, { poolId, day: "2026-03-04", units: 100n, deliveredGhs: 1_000n });
    return poolId;
  };
  const stop = (poolId: string, countsUntil: string, on: string) =>
    stopPool(db, alan, { poolId, countsUntil, reason: "It ended" }, at(on)).then(
      () => "stopped",
      ({ code }) => code,
    );
  const enter = (poolId: string, day: string, evidence: { txid: string | null }) => {
    const nothing = { payoutId: randomUUID(), poolId, day, units: 0n, deliveredGhs: 0n };
    return enterPayout(db, grace, { ...nothing, ...evidence }, at("2026-03-07")).then((done) => {
      return { payoutId: nothing.payoutId, ...done };
    });
  };
  const ahead = await started();
  expect(await stop(ahead, "2026-03-11", "2026-03-05")).toBe("payouts/still-pays");
  expect(await stop(ahead, "2026-03-12", "2026-03-05")).toBe("stopped");

  const moved = await started();
  const { payoutId } = await enter(moved, "2026-03-06", { txid: null });
  expect(await stop(moved, "2026-03-07", "2026-03-07")).toBe("payouts/still-pays");
  await confirmPayout(db, alan, payoutId, at("2026-03-07"));
  // It may have gone on since, and somebody who knows that it did is heard.
  expect(await stop(moved, "2026-03-09", "2026-03-09")).toBe("payouts/still-pays");
  const later = { payoutId: randomUUID(), poolId: moved, day: "2026-03-07", deliveredGhs: 1_000n };
  const paid = { ...later, units: 90_000_000n, txid: "ef".repeat(32) };
  await enterPayout(db, grace, paid, at("2026-03-08"));
  await refusePayout(db, alan, { payoutId: paid.payoutId, reason: "Not ours" }, at("2026-03-08"));
  expect(await stop(moved, "2026-03-08", "2026-03-08")).toBe("payouts/still-pays");
  const ended = await started();
  const zero = await enter(ended, "2026-03-06", { txid: null });
  await confirmPayout(db, alan, zero.payoutId, at("2026-03-07"));
  expect(await stop(ended, "2026-03-08", "2026-03-08")).toBe("stopped");

  // What a colleague added is no mistake of one's own.
  const added = { name: randomUUID(), format: "other" as const, countsFrom: "2026-03-09" };
  const { poolId: hers } = await addPool(db, grace, added, at("2026-03-08"));
  expect(await stop(hers, "2026-03-08", "2026-03-08")).toBe("payouts/still-pays");

  // One person's word that it paid nothing is not two people's.
  const alone = await started();
  const said = await enter(alone, "2026-03-06", { txid: "cd".repeat(32) });
  if (said.state === "proposed")
    await refusePayout(db, alan, { payoutId: said.payoutId, reason: "No" }, at("2026-03-07"));
  expect(await stop(alone, "2026-03-07", "2026-03-07")).toBe("payouts/still-pays");
});
