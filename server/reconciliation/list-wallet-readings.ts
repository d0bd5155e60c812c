import { shownDescriptor } from "#core/wallet/node-descriptor.ts";
import { asc, desc, eq } from "#server/platform/sql.ts";
import { wallets } from "../chain/schema.ts";
import type { Db } from "../platform/database.ts";
import { walletReadings } from "./schema.ts";

/** What was last read of each wallet, which is named as its operator knows it; newest first. */
export async function listWalletReadings(db: Db) {
  const r = walletReadings;
  const { chain, network, descriptor } = wallets;
  const readings = await db
    .selectDistinctOn([r.walletId], {
      walletId: r.walletId,
      asset: r.asset,
      wallet: { chain, network, descriptor },
      units: r.units,
      outputs: r.outputs,
      blockHeight: r.blockHeight,
      readAt: r.readAt,
      custodyUnits: r.custodyUnits,
    })
    .from(r)
    .innerJoin(wallets, eq(wallets.id, r.walletId))
    .orderBy(asc(r.walletId), desc(r.readAt));
  return readings.map(({ wallet, ...each }) => ({ ...each, descriptor: shownDescriptor(wallet) }));
}

export type WalletReading = Awaited<ReturnType<typeof listWalletReadings>>[number];
