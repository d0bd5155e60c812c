import type { Tx } from "#server/platform/database.ts";
import { and, eq, gt, isNotNull, isNull, sql } from "#server/platform/sql.ts";
import { chainPayments } from "../schema.ts";
import type { LockedPayment } from "../settle-payment.ts";
import { firstEvent, isCallOfContract } from "./ethereum-place.ts";

const p = chainPayments;
const dayMs = 86_400_000;

/** Whether only the node says that it was paid, and no two people said so since. */
export function isByWordOfNode({ asset, outputIndex, resolvedAs }: LockedPayment): boolean {
  return asset === "ETH" && isCallOfContract(outputIndex) && resolvedAs === null;
}

/**
 * Ether from contracts that an address is credited with by the node's word once this payment is: it, and what was seen in the 24 hours
 * before it or since. In wei.
 */
export async function sumInternalEther(tx: Tx, payment: LockedPayment): Promise<bigint> {
  const { asset, address, seenAt, units } = payment;
  const [credited] = await tx
    .select({ units: sql`coalesce(sum(${p.units}), 0)`.mapWith(p.units) })
    .from(p)
    .where(
      and(
        eq(p.address, address),
        gt(p.seenAt, new Date(seenAt.getTime() - dayMs)),
        eq(p.asset, asset),
        sql`${p.outputIndex} between 1 and ${firstEvent - 1}`,
        isNotNull(p.settledAt),
        isNull(p.resolvedAs),
      ),
    );
  return units + (credited?.units ?? 0n);
}
