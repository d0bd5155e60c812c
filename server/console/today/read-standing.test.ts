import { expect, test } from "vitest";
import { createTestFleet } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readStanding } from "./read-standing.ts";

const { db, owner } = await testDatabase();
const now = new Date();

test("of a business that has nothing yet, nothing stands", async () => {
  const standing = await readStanding(db, now);
  expect(standing).toMatchObject({
    nextDay: null,
    lastDay: null,
    payouts: [],
    batches: [],
    pulls: [],
    fleet: { capacityGhs: 0n, soldGhs: 0n, outages: 0 },
  });
  for (const { owedUnits, custodyUnits, counted } of standing.coins) {
    expect([owedUnits, custodyUnits, counted]).toEqual([0n, 0n, null]);
  }
});

test("machines count before anything is sold of them", async () => {
  await createTestFleet(db, { ghs: 5_000n, from: "2026-01-01" });
  expect((await readStanding(db, now)).fleet).toMatchObject({ capacityGhs: 5_000n, soldGhs: 0n });
});

test("every batch that goes on is read, however many there are", async () => {
  const grace = await createTestOperator(db, { canAct: true });
  const customer = await createWithdrawer(db, { now: new Date(now.getTime() - 30 * 3_600_000) });
  await createUnsentBatch(db, { customer, operator: grace });
  // Four more of it, formed before, as they would be after some days without a block.
  const changed = (columns: string) => `jsonb_build_object('id', gen_random_uuid(), ${columns})`;
  await owner.query(`begin; set local session_replication_role = replica;
    alter table withdrawal_batches disable trigger user; alter table withdrawal_batch_versions disable trigger user;
    insert into withdrawal_batches select (jsonb_populate_record(b, ${changed(
      "'submission_key', gen_random_uuid(), 'formed_by_act', gen_random_uuid(), 'change_index', 100 + n, 'formed_at', b.formed_at - n * interval '1 second'",
    )})).* from withdrawal_batches b, generate_series(1, 4) n;
    insert into withdrawal_batch_versions select (jsonb_populate_record(v, ${changed(
      "'batch_id', b.id, 'made_by_act', gen_random_uuid(), 'txid', md5(b.id::text)",
    )})).* from withdrawal_batch_versions v, withdrawal_batches b where b.id <> v.batch_id;
    commit`);
  const { batches } = await readStanding(db, now);
  expect(batches).toHaveLength(5);
  for (const batch of batches) {
    expect(batch).toMatchObject({ state: "formed", orderedAt: null, isMined: false });
  }
});
