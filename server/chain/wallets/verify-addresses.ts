import { deriveAddress } from "#core/wallet/derive-address.ts";
import { readDescriptor, shownDescriptor } from "#core/wallet/node-descriptor.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, asc, eq, gt, sql } from "#server/platform/sql.ts";
import { readRows, text } from "../../platform/database/read-rows.ts";
import type { Db } from "../../platform/database.ts";
import { chainScripts, walletAddresses, wallets } from "../schema.ts";
import { scriptOf } from "./write-scripts.ts";

const atOnce = 5_000;
const named = 10;

interface Verified {
  /** Those of the configuration. */
  keys: Array<WalletKey | null>;
  /** Descriptors of wallets that were used before. */
  former: readonly string[];
  /** Told after each page how many addresses were derived. */
  progress?: (derived: number) => void;
}

/**
 * Derives every address of the database again: that each is what its wallet's key gives at its place, that each wallet is one of
 * the configuration or was named, and that blocks are searched for just these. Costs 0.3 ms an address.
 */
export async function verifyAddresses(db: Db, { keys, former, progress }: Verified) {
  const known = await db.select().from(wallets).orderBy(asc(wallets.firstSeenAt));
  const isNamed = (wallet: KnownWallet) =>
    former.includes(shownDescriptor(wallet)) ||
    keys.some((key) => key?.descriptor === wallet.descriptor && key.network === wallet.network);
  const strangers = known
    .filter((wallet) => !isNamed(wallet))
    .map((wallet) => `${shownDescriptor(wallet)} is not configured. Was it yours? Then name it`);
  const found: Found = { derived: 0, foreign: [], unlike: [] };
  for (const wallet of known) {
    const key = readDescriptor(wallet);
    if (key?.descriptor === wallet.descriptor) {
      await deriveAll(db, { wallet, key, found, ...(progress && { progress }) });
    } else strangers.push(`${wallet.descriptor} is no key`);
  }
  const { derived, foreign, unlike } = found;
  return [
    toCheck("every wallet is one of the configuration, or was named", known.length, strangers),
    toCheck("every address is what its wallet's key gives at its place", derived, foreign),
    toCheck("blocks are searched for what pays to these addresses", derived, unlike),
    toCheck(
      "every customer's address and every script is of an address that is watched, at its place",
      derived,
      await listMisplaced(db),
    ),
  ];
}

type KnownWallet = typeof wallets.$inferSelect;

interface Found {
  derived: number;
  /** Addresses that the key does not give, and those whose script is another's. */
  foreign: string[];
  unlike: string[];
}

interface Derivation extends Pick<Verified, "progress"> {
  wallet: KnownWallet;
  key: WalletKey;
  found: Found;
}

async function deriveAll(db: Db, { wallet, key, found, progress }: Derivation): Promise<void> {
  for await (const rows of pagesOf(db, wallet.id)) {
    for (const { address, branch, derivationIndex, script } of rows) {
      if (deriveAddress(key, derivationIndex, branch) !== address) {
        found.foreign.push(`${address} at /${branch}/${derivationIndex}`);
      } else if (script && !Buffer.from(script).equals(scriptOf(address, wallet))) {
        found.unlike.push(`script of ${address}`);
      }
    }
    found.derived += rows.length;
    progress?.(found.derived);
  }
}

async function listMisplaced(db: Db): Promise<string[]> {
  const rows = await readRows(
    db,
    sql`
    select d.address from deposit_addresses d
      left join wallet_addresses w on w.address = d.address and w.purpose = 'customers'
       and (w.wallet_id, w.branch, w.derivation_index) = (d.wallet_id, d.branch, d.derivation_index)
     where w.address is null
    union all
    select s.address from chain_scripts s left join wallet_addresses w on w.address = s.address where w.address is null
     limit ${named}`,
    { address: text },
  );
  return rows.map(({ address }) => address);
}

async function* pagesOf(db: Db, walletId: string) {
  const w = walletAddresses;
  let after = "";
  for (;;) {
    const rows = await db
      .select({
        address: w.address,
        branch: w.branch,
        derivationIndex: w.derivationIndex,
        script: chainScripts.script,
      })
      .from(w)
      .leftJoin(chainScripts, eq(chainScripts.address, w.address))
      .where(and(eq(w.walletId, walletId), gt(w.address, after)))
      .orderBy(asc(w.address))
      .limit(atOnce);
    if (rows.length > 0) yield rows;
    if (rows.length < atOnce) return;
    after = rows.at(-1)?.address ?? "";
  }
}

function toCheck(claim: string, count: number, wrong: string[]) {
  const more = wrong.length > named ? `, and ${wrong.length - named} more` : "";
  const holds = wrong.length === 0;
  return {
    claim,
    holds,
    detail: holds ? `${count}` : `${wrong.slice(0, named).join("; ")}${more}`,
  };
}
