import { utcDay } from "#core/utc-day.ts";
import type { WalletChain, WalletKey } from "#core/wallet/wallet-key.ts";
import { and, count, desc, eq, gt, inArray, lte, sql } from "#server/platform/sql.ts";
import { findWallet } from "../../chain/wallets/find-wallet.ts";
import type { ConfirmationStep } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { listSpendable } from "../bitcoin/list-spendable.ts";
import { progressOf } from "../bitcoin/scan-coins.ts";
import { withoutTaken } from "../bitcoin/without-taken.ts";
import { coinScans, withdrawalBatches, withdrawals } from "../schema.ts";
import { failedAt } from "../select-withdrawals.ts";
import { coinsOf, isDue } from "./form-batch.ts";
import type { Totals } from "./list-batches.ts";

const b = withdrawalBatches;
const w = withdrawals;

/** What is approved and due on a chain today: how much of it can leave, and how much waits for another day. */
export async function getDue(db: Db, chain: WalletChain, now: Date) {
  const waits = and(eq(w.state, "approved"), inArray(w.asset, coinsOf(chain)));
  const isToday = and(waits, lte(w.dueOn, utcDay(now)));
  const free = await db
    .select({
      asset: w.asset,
      payments: count(),
      failing: sql`count(${failedAt})`.mapWith(Number),
      units: sql`sum(${w.units} - ${w.feeUnits})`.mapWith(w.units),
    })
    .from(w)
    .where(isDue(chain, now))
    .groupBy(w.asset);
  const payments = free.reduce((sum, each) => sum + each.payments, 0);
  /** What the node said would fail when a batch was formed last. */
  const failing = free.reduce((sum, each) => sum + each.failing, 0);
  const all = await db.$count(w, isToday);
  const later = await db.$count(w, and(waits, gt(w.dueOn, utcDay(now))));
  const totals: Totals = Object.fromEntries(free.map(({ asset, units }) => [asset, units]));
  return { payments, failing, totals, stopped: all - payments, later };
}

/** What is ready for a batch of bitcoin: what is due, and what the wallet can spend as far as it was looked for. */
export async function getReadiness(
  db: Db,
  { key, steps }: { key: WalletKey | null; steps: ConfirmationStep[] },
  now: Date,
) {
  return { ...(await getDue(db, "bitcoin", now)), ...(await findCoins(db, { key, steps }, now)) };
}

/** The batch on Ethereum that goes on, which the next one waits for; null: none does. */
export async function findOpenEthereumBatch(db: Db): Promise<{ id: string; day: string } | null> {
  const goesOn = and(eq(b.chain, "ethereum"), inArray(b.state, ["formed", "broadcast"]));
  const [open] = await db.select({ id: b.id, day: b.day }).from(b).where(goesOn).limit(1);
  return open ?? null;
}

async function findCoins(
  db: Db,
  { key, steps }: { key: WalletKey | null; steps: ConfirmationStep[] },
  now: Date,
) {
  const wallet = key && (await findWallet(db, key));
  if (!wallet) return { wallet: false, scan: null, coins: [], waiting: [] };
  const s = coinScans;
  const scans = await db
    .select()
    .from(s)
    .where(eq(s.walletId, wallet.id))
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(20);
  const found = scans.find(({ coins }) => coins !== null);
  const looked = { coins: found?.coins ?? [], height: found?.height ?? 0 };
  const all = await listSpendable(db, { walletId: wallet.id, steps, scan: looked });
  const coins = all.filter(({ waits }) => waits === null);
  const [last] = scans;
  return {
    wallet: true,
    scan: {
      ...(last ? progressOf(last, now) : { runs: false, fault: null }),
      askedAt: found?.askedAt ?? null,
      height: found?.height ?? null,
    },
    coins: await withoutTaken(db, coins),
    /** Coins that a batch does not spend yet. */
    waiting: all.filter(({ waits }) => waits !== null),
  };
}

export type Readiness = Awaited<ReturnType<typeof getReadiness>>;
