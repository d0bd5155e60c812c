import { Address, OutScript } from "@scure/btc-signer";
import type { Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { chainScripts, walletAddresses, wallets } from "../schema.ts";

const atOnce = 5_000;
/** Chains of which all are there, by database: an address gets its script when it is written down. */
const complete = new WeakMap<Db, Set<WalletChain>>();

/** Where addresses are: `{ chain, network }` of a wallet. */
interface Place {
  chain: WalletChain;
  network: Network;
}

/** Writes down what blocks are searched for: what an output pays to when it pays an address; on Ethereum its 20 bytes. */
export async function writeScripts(db: Db | Tx, addresses: string[], place: Place): Promise<void> {
  await db
    .insert(chainScripts)
    .values(addresses.map((address) => ({ script: scriptOf(address, place), address })))
    .onConflictDoNothing();
}

/** The same for addresses that were written down before scripts were. Asked once by each process. */
export async function writeMissingScripts(db: Db, place: Place): Promise<void> {
  const done = complete.get(db) ?? new Set();
  if (done.has(place.chain)) return;
  for (;;) {
    const missing = await db
      .select({ address: walletAddresses.address })
      .from(walletAddresses)
      .innerJoin(wallets, eq(wallets.id, walletAddresses.walletId))
      .leftJoin(chainScripts, eq(chainScripts.address, walletAddresses.address))
      .where(
        and(
          eq(wallets.chain, place.chain),
          eq(wallets.network, place.network),
          isNull(chainScripts.address),
        ),
      )
      .limit(atOnce);
    if (missing.length === 0) break;
    await writeScripts(
      db,
      missing.map(({ address }) => address),
      place,
    );
  }
  complete.set(db, done.add(place.chain));
}

/** What an output pays to when it pays an address; on Ethereum the 20 bytes of the address. */
export function scriptOf(address: string, { chain, network }: Place): Uint8Array {
  if (chain === "ethereum") return Buffer.from(address.slice(2), "hex");
  return OutScript.encode(Address(bitcoinNetworks[network]).decode(address));
}
