import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { withdrawalAddresses } from "./schema.ts";

/** Deletes the address book of somebody who left. Where his withdrawals went stays with them. */
export async function eraseAddressesOf(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(withdrawalAddresses).where(eq(withdrawalAddresses.customerId, customerId));
}
