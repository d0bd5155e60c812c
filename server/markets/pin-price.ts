import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { Price } from "./price.ts";

/** Keeps a price and its evidence for good, in the transaction that values money with it. */
export async function pinPrice(tx: Tx, { priceId }: Pick<Price, "priceId">): Promise<void> {
  await tx.execute(
    sql`update market_prices set pinned = true where id = ${priceId} and not pinned`,
  );
}
