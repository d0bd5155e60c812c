import { orNull, readRows, units } from "#server/platform/database/read-rows.ts";
import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const dayMs = 86_400_000;

/**
 * Ether from contracts that a customer is credited with by the node's word within 24 hours once this payment is, in wei. Null: the payment
 * is nothing of that, or two people said that it is the customer's.
 */
export async function sumInternalEther(
  tx: Tx,
  { paymentId, now }: { paymentId: string; now: Date },
): Promise<bigint | null> {
  const since = new Date(now.getTime() - dayMs).toISOString();
  const sum = sql`
    select p.units + coalesce((
             select sum(o.units) from deposit_addresses a join chain_payments o on o.address = a.address
              where a.customer_id = p.customer_id and is_by_word_of_node(o) and o.settled_at > ${since}::timestamptz), 0) as sum
      from chain_payments p where p.id = ${paymentId}::uuid and is_by_word_of_node(p)`;
  const [found] = await readRows(tx, sum, { sum: orNull(units) });
  return found?.sum ?? null;
}
