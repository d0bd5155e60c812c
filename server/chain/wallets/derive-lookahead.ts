import { deriveAddress } from "#core/wallet/derive-address.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { usualGapLimit } from "#core/wallet/wallet-terms.ts";
import { and, eq, max, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositAddresses, walletAddresses } from "../schema.ts";
import { findWallet, type Wallet } from "./find-wallet.ts";
import { writeScripts } from "./write-scripts.ts";

/**
 * Writes down the next addresses of an open wallet before anybody is given them, so that blocks and the mempool are searched for
 * them: customers' next ones on their branch, and, on the branch that the wallet itself shows, the operator's own. As many as wallets
 * look ahead. Any number may do it at once.
 */
export async function deriveLookahead(db: Db | Tx, key: WalletKey, now: Date): Promise<void> {
  const wallet = await findWallet(db, key);
  if (!wallet?.comparedAt) return;
  const { customerBranch } = key;
  await writeUpTo(db, wallet, key, {
    purpose: "customers",
    branch: customerBranch,
    now,
    end: (await highestIssued(db, wallet, customerBranch)) + 1 + usualGapLimit,
  });
  // On a branch for customers the operator has none of their own: a wallet beside it takes those.
  if (customerBranch === 0) return;
  await writeUpTo(db, wallet, key, {
    purpose: "own",
    branch: 0,
    now,
    end: (await highestUsed(db, wallet)) + 1 + usualGapLimit,
  });
}

async function highestIssued(db: Db | Tx, wallet: Wallet, branch: 0 | 2): Promise<number> {
  const a = depositAddresses;
  const [found] = await db
    .select({ highest: max(a.derivationIndex) })
    .from(a)
    .where(and(eq(a.walletId, wallet.id), eq(a.branch, branch)));
  return found?.highest ?? -1;
}

/** Of the branch that the wallet shows: what somebody paid, or a customer was given before customers had a branch of their own. */
async function highestUsed(db: Db | Tx, wallet: Wallet): Promise<number> {
  const w = walletAddresses;
  const isUsed = sql`(${w.seenAt} is not null or ${w.purpose} = 'customers')`;
  const [found] = await db
    .select({ highest: max(w.derivationIndex) })
    .from(w)
    .where(and(eq(w.walletId, wallet.id), eq(w.branch, 0), isUsed));
  return found?.highest ?? -1;
}

interface Wanted {
  purpose: "customers" | "own";
  branch: 0 | 2;
  /** The first index that need not be there. */
  end: number;
  now: Date;
}

async function writeUpTo(
  db: Db | Tx,
  wallet: Wallet,
  key: WalletKey,
  { purpose, branch, end, now }: Wanted,
): Promise<void> {
  const w = walletAddresses;
  const [written] = await db
    .select({ highest: max(w.derivationIndex) })
    .from(w)
    .where(and(eq(w.walletId, wallet.id), eq(w.branch, branch)));
  const from = (written?.highest ?? -1) + 1;
  const rows = Array.from({ length: Math.max(0, end - from) }, (_, i) => ({
    address: deriveAddress(key, from + i, branch),
    walletId: wallet.id,
    branch,
    derivationIndex: from + i,
    purpose,
    writtenAt: now,
  }));
  if (rows.length === 0) return;
  await db.insert(w).values(rows).onConflictDoNothing();
  await writeScripts(
    db,
    rows.map(({ address }) => address),
    key,
  );
}
