import type pg from "pg";

/** Holds a batch of withdrawals, so that nobody can note anything of it, until the function that is returned is called. */
export async function holdBatch(owner: pg.Pool, batchId: string): Promise<() => Promise<void>> {
  const client = await owner.connect();
  await client.query("begin");
  await client.query("select from withdrawal_batches where id = $1 for update", [batchId]);
  return async () => {
    await client.query("rollback");
    client.release();
  };
}
