import { eq, sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { chainPayments } from "./schema.ts";

export const confirmations = sql<number>`chain_confirmations(chain_payments)`;
const isFinal = sql<boolean>`chain_is_final(chain_payments)`;

/** How many blocks hold a payment by now, its own and those after it, and whether its block is final. */
export async function findConfirmations(tx: Tx, paymentId: string) {
  const [found] = await tx
    .select({ confirmations, isFinal })
    .from(chainPayments)
    .where(eq(chainPayments.id, paymentId));
  return found ?? { confirmations: 0, isFinal: false };
}
