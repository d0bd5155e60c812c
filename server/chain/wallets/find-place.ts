import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { walletAddresses } from "../schema.ts";
import type { PlacedAddress } from "./foreign-address.ts";

/** Where an address that is watched stands below its wallet's key, as the database says; null: it is not watched. */
export async function findPlace(db: Db | Tx, address: string): Promise<PlacedAddress | null> {
  const { branch, derivationIndex } = walletAddresses;
  const [place] = await db
    .select({ address: walletAddresses.address, branch, derivationIndex })
    .from(walletAddresses)
    .where(eq(walletAddresses.address, address));
  return place ?? null;
}
