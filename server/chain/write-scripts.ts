import { Address, OutScript } from "@scure/btc-signer";
import { and, eq, isNull } from "drizzle-orm";
import type { Network } from "#core/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { Db, Tx } from "../platform/database.ts";
import { chainScripts, depositAddresses, wallets } from "./schema.ts";

const atOnce = 5_000;
/** Databases in which all are there: an address gets its script when it is given out. */
const complete = new WeakSet<Db>();

/** Writes down what an output pays to when it pays an address: blocks are searched for that. */
export async function writeScript(tx: Tx, address: string, network: Network): Promise<void> {
  await tx
    .insert(chainScripts)
    .values({ script: scriptOf(address, network), address })
    .onConflictDoNothing();
}

/** The same for addresses that were given out before scripts were written down. Asked once by each process. */
export async function writeMissingScripts(db: Db, network: Network): Promise<void> {
  if (complete.has(db)) return;
  for (;;) {
    const missing = await db
      .select({ address: depositAddresses.address })
      .from(depositAddresses)
      .innerJoin(wallets, eq(wallets.id, depositAddresses.walletId))
      .leftJoin(chainScripts, eq(chainScripts.address, depositAddresses.address))
      .where(
        and(
          eq(wallets.chain, "bitcoin"),
          eq(wallets.network, network),
          isNull(chainScripts.address),
        ),
      )
      .limit(atOnce);
    if (missing.length === 0) break;
    const rows = missing.map(({ address }) => ({ script: scriptOf(address, network), address }));
    await db.insert(chainScripts).values(rows).onConflictDoNothing();
  }
  complete.add(db);
}

function scriptOf(address: string, network: Network): Uint8Array {
  return OutScript.encode(Address(bitcoinNetworks[network]).decode(address));
}
