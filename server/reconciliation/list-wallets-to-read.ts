import type { Network } from "#core/payments/address.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import { wallets } from "../chain/schema.ts";
import type { Db } from "../platform/database.ts";
import { withdrawalBatches } from "../withdrawals/schema.ts";
import { walletReadings } from "./schema.ts";

/** Bitcoin wallets that no node was asked about on a day (null: all of them), with how far their branches were used. */
export function listWalletsToRead(
  db: Db,
  { network, day }: { network: Network; day: string | null },
) {
  const highest = sql`(select max(b.change_index) from ${withdrawalBatches} b where b.wallet_id = ${wallets.id})`;
  return db
    .select({
      walletId: wallets.id,
      descriptor: wallets.descriptor,
      nextIndex: wallets.nextIndex,
      nextChange: sql<number>`coalesce(${highest} + 1, 0)`,
    })
    .from(wallets)
    .where(
      and(
        eq(wallets.chain, "bitcoin"),
        eq(wallets.network, network),
        day === null
          ? undefined
          : sql`not exists (select from ${walletReadings} r where r.wallet_id = ${wallets.id} and r.day = ${day})`,
      ),
    )
    .orderBy(asc(wallets.firstSeenAt));
}

export type WalletToRead = Awaited<ReturnType<typeof listWalletsToRead>>[number];
