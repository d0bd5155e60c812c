import { isUuid } from "#core/is-uuid.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import { chainPayments } from "../../chain/schema.ts";
import type { Tx } from "../../platform/database.ts";

const p = chainPayments;

/** A payment that people say something of, with whose address it was; null when there is none. */
export async function findPaymentToResolve(tx: Tx, paymentId: string) {
  if (!isUuid(paymentId)) return null;
  const [found] = await tx
    .select({
      id: p.id,
      txid: p.txid,
      outputIndex: p.outputIndex,
      address: p.address,
      asset: p.asset,
      units: p.units,
      refusal: p.refusal,
      customerId: p.customerId,
    })
    .from(p)
    .where(eq(p.id, paymentId));
  return found ?? null;
}

export type PaymentToResolve = NonNullable<Awaited<ReturnType<typeof findPaymentToResolve>>>;

/** It and the other payments at its address that were refused as it was, and that no resolution has taken. */
export async function listSimilarPayments(
  tx: Tx,
  { id, address, refusal }: PaymentToResolve,
  limit: number,
): Promise<string[]> {
  const isFree = sql`${p.counts} and ${p.settledAt} is null and ${p.resolvedAs} is null and not exists (
    select from resolved_payments of_it join payment_resolutions open on open.id = of_it.resolution_id
     where of_it.payment_id = ${p.id} and open.state = 'open')`;
  const similar = await tx
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.address, address), sql`${p.refusal} is not distinct from ${refusal}`, isFree))
    .orderBy(asc(p.seenAt), asc(p.id))
    .limit(limit);
  return [...new Set([id, ...similar.map((each) => each.id)])];
}
