import type { Network } from "#core/address.ts";
import { asc, inArray } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { followBitcoinBatch } from "./bitcoin/follow-batch.ts";
import { type Finality, followPayments } from "./ethereum/follow-payments.ts";
import type { Nodes } from "./node.ts";
import { withdrawalBatches } from "./schema.ts";

/**
 * Looks where every batch that goes on stands on its chain, settles what is final there, and sends again what was ordered and
 * is nowhere. A batch whose node does not answer keeps no other one from being looked at.
 *
 * @throws the first error there was, once all were looked at
 */
export async function followBatches(
  db: Db,
  { nodes, network, finality }: { nodes: Nodes; network: Network; finality: Finality },
  now: () => Date,
): Promise<void> {
  const b = withdrawalBatches;
  const open = await db
    .select()
    .from(b)
    .where(inArray(b.state, ["formed", "broadcast"]))
    .orderBy(asc(b.formedAt));
  const errors: unknown[] = [];
  for (const batch of open) {
    try {
      if (batch.chain === "bitcoin") {
        const { bitcoin: node } = nodes;
        if (node) await followBitcoinBatch(db, { node, network, batch }, now);
      } else if (nodes.ethereum) {
        await followPayments(db, { node: nodes.ethereum, finality, batch }, now);
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
