import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositAddresses, walletAddresses } from "../schema.ts";

/** Whose address a payment went to. */
export async function findOwnerOfAddress(tx: Tx, address: string): Promise<string | null> {
  const [owner] = await tx
    .select({ customerId: depositAddresses.customerId })
    .from(depositAddresses)
    .where(eq(depositAddresses.address, address));
  return owner?.customerId ?? null;
}

/** Whether an address is of a wallet here: a customer's to pay in at, or the operator's own. */
export async function isOurAddress(db: Db | Tx, address: string): Promise<boolean> {
  const [found] = await db
    .select({ address: walletAddresses.address })
    .from(walletAddresses)
    .where(eq(walletAddresses.address, address));
  return found !== undefined;
}
