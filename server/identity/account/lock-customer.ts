import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { customers } from "../schema.ts";

/**
 * Holds a customer's row until the transaction ends: their requests run one after another, and none beside
 * the closing of the account. Taken before the ledger's accounts. Whoever holds those already may write rows that refer to the customer.
 */
export async function lockCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.id, customerId))
    .for("no key update");
}
