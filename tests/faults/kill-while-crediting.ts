import type pg from "pg";
import { expect } from "vitest";
import type { KillableWorker } from "./start-worker.ts";

interface Crediting {
  owner: pg.Pool;
  start(): KillableWorker;
  /** A transaction that pays six customers, and was read. */
  txid: string;
  customerIds: string[];
}

/**
 * Kills workers (SIGKILL) while they credit a transaction's six payments: once before anything of the fourth is written, once when
 * all of it is but the commit. Then one goes on until all are credited.
 */
export async function killWhileCrediting({ owner, start, txid, customerIds }: Crediting) {
  const count = async () =>
    Number(
      (
        await owner.query(
          "select count(*) from deposits where customer_id = any($1) and state = 'approved'",
          [customerIds],
        )
      ).rows[0].count,
    );
  const waits = async () =>
    (
      await owner.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    ).rowCount;
  for (const hold of [
    "select from chain_payments where id in (select id from chain_payments where txid = $1 order by seen_at, id offset 3) for update",
    "select pg_advisory_xact_lock(hashtextextended('deposits.txid:' || $1, 0))",
  ]) {
    const client = await owner.connect();
    await client.query("begin");
    await client.query(hold, [txid]);
    const worker = start();
    await expect.poll(waits, { interval: 10 }).toBe(1);
    await worker.kill();
    await client.query("rollback");
    client.release();
    // The control: it did die with credits undone, each of them whole or not at all.
    const done = await count();
    expect(done).toBe(3);
    const { rows } = await owner.query(
      `select count(*) filter (where p.settled_at is not null)::int as settled,
              (select count(*)::int from ledger_transfers t where t.kind = 'deposit' and t.owner_id = any($2)) as posted
         from chain_payments p where p.txid = $1`,
      [txid, customerIds],
    );
    expect(rows).toEqual([{ settled: done, posted: done }]);
  }
  const worker = start();
  await expect.poll(count, { interval: 10 }).toBe(customerIds.length);
  await worker.kill();
}
