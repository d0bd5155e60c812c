import { expect, test } from "vitest";
import { createTestPool, recordTestPayout } from "#tests/factories/mining.ts";
import { actOnServer } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";

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
