import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { chainSources } from "./schema.ts";

/** Whether the source of a chain can be used, as it was last asked; null: it never was. */
export async function findSource(db: Db | Tx, chain: WalletChain) {
  const [source] = await db.select().from(chainSources).where(eq(chainSources.chain, chain));
  return source ?? null;
}

export type AskedSource = NonNullable<Awaited<ReturnType<typeof findSource>>>;
