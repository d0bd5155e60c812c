import type { Coin } from "#core/asset.ts";
import type { WalletChain, WalletKey } from "#core/wallet/wallet-key.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  type SQL,
  sql,
} from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { ConfirmationStep } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import { coinbaseMaturity, type Needed } from "./payment.ts";
import {
  chainBlocks,
  chainDepartures,
  chainPayments,
  chainPositions,
  chainReorgs,
  chainSources,
  chainTroubles,
  depositAddresses,
  walletAddresses,
  wallets,
} from "./schema.ts";
import { ForeignAddress, isDerived } from "./wallets/foreign-address.ts";

/**
 * The customer's own address in a wallet, once it was issued.
 *
 * @throws ForeignAddress where it is not what the configured key gives
 */
export async function findDepositAddress(
  db: Db | Tx,
  key: WalletKey,
  customerId: string,
): Promise<string | null> {
  const [found] = await db
    .select({
      address: depositAddresses.address,
      branch: depositAddresses.branch,
      derivationIndex: depositAddresses.derivationIndex,
    })
    .from(depositAddresses)
    .innerJoin(wallets, eq(wallets.id, depositAddresses.walletId))
    .where(
      and(
        eq(depositAddresses.customerId, customerId),
        eq(wallets.network, key.network),
        eq(wallets.descriptor, key.descriptor),
      ),
    );
  if (found && !isDerived(key, found)) throw new ForeignAddress(found);
  return found?.address ?? null;
}

/**
 * The next address that a customer may be given, below which none is left. Locks it: a payment that is being recorded there is
 * waited for, and then the one after is next.
 */
export async function findNextAddress(tx: Tx, { id }: Pick<Wallet, "id">, branch: 0 | 2) {
  const w = walletAddresses;
  const [next] = await tx
    .select({
      address: w.address,
      branch: w.branch,
      derivationIndex: w.derivationIndex,
      askedAt: w.askedAt,
    })
    .from(w)
    .where(
      and(
        ...[eq(w.walletId, id), eq(w.branch, branch), eq(w.purpose, "customers"), isNull(w.seenAt)],
        sql`${w.derivationIndex} > coalesce((select max(d.derivation_index) from deposit_addresses d
              where d.wallet_id = ${id} and d.branch = ${branch}), -1)`,
      ),
    )
    .orderBy(asc(w.derivationIndex))
    .limit(1)
    .for("update");
  return next ?? null;
}

/** How many addresses of each wallet customers were given. */
export async function countIssued(db: Db): Promise<Map<string, number>> {
  const a = depositAddresses;
  const rows = await db
    .select({ walletId: a.walletId, issued: count() })
    .from(a)
    .groupBy(a.walletId);
  return new Map(rows.map(({ walletId, issued }) => [walletId, issued]));
}

/** The operator's own addresses of a wallet at which nothing was seen yet, lowest first: for pools, and for own money. */
export function listOwnAddresses(db: Db, walletId: string, limit: number) {
  const w = walletAddresses;
  return db
    .select({ address: w.address, branch: w.branch, derivationIndex: w.derivationIndex })
    .from(w)
    .where(and(eq(w.walletId, walletId), eq(w.purpose, "own"), isNull(w.seenAt)))
    .orderBy(asc(w.derivationIndex))
    .limit(limit);
}

/** What arrived at the operator's own addresses, or where nobody had been given one, and is not in the books. Newest first. */
export function listArrivals(db: Db, limit: number) {
  const p = chainPayments;
  return db
    .select({
      ...{ paymentId: p.id, chain: p.chain, txid: p.txid, asset: p.asset, units: p.units },
      ...{ state: p.state, seenAt: p.seenAt, address: p.address, purpose: walletAddresses.purpose },
      outputIndex: p.outputIndex,
      confirmations,
    })
    .from(p)
    .innerJoin(walletAddresses, eq(walletAddresses.address, p.address))
    .where(sql`${p.id} in (select id from arrivals_to_record())`)
    .orderBy(desc(p.seenAt), desc(p.id))
    .limit(limit);
}
export type Arrival = Awaited<ReturnType<typeof listArrivals>>[number];

/** What is known of a wallet of the configuration; null before it was recorded. */
export async function findWallet(
  db: Db | Tx,
  { network, descriptor }: Pick<WalletKey, "network" | "descriptor">,
): Promise<Wallet | null> {
  const [wallet] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.network, network), eq(wallets.descriptor, descriptor)));
  return wallet ?? null;
}

/** Every wallet that was ever configured: coins can still arrive at the addresses of former ones. */
export function listWallets(db: Db) {
  return db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.firstSeenAt));
}
export type Wallet = typeof wallets.$inferSelect;

/** Up to where a chain was read; null: not begun. */
export async function findPosition(db: Db | Tx, chain: WalletChain) {
  const [position] = await db
    .select({
      beganAtHeight: chainPositions.beganAtHeight,
      height: chainPositions.height,
      hash: chainPositions.hash,
      blockTime: chainPositions.blockTime,
      readAt: chainPositions.readAt,
      finalizedHeight: chainPositions.finalizedHeight,
      bits: chainBlocks.bits,
    })
    .from(chainPositions)
    .leftJoin(
      chainBlocks,
      and(
        eq(chainBlocks.chain, chainPositions.chain),
        eq(chainBlocks.height, chainPositions.height),
      ),
    )
    .where(eq(chainPositions.chain, chain));
  return position ?? null;
}
export type Position = NonNullable<Awaited<ReturnType<typeof findPosition>>>;

/** The blocks that are remembered, newest first. */
export function listBlocks(
  db: Db,
  chain: WalletChain,
): Promise<Array<{ height: number; hash: string }>> {
  return db
    .select({ height: chainBlocks.height, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height));
}

/** Whether the source of a chain can be used, as it was last asked; null: it never was. */
export async function findSource(db: Db | Tx, chain: WalletChain) {
  const [source] = await db.select().from(chainSources).where(eq(chainSources.chain, chain));
  return source ?? null;
}
export type AskedSource = NonNullable<Awaited<ReturnType<typeof findSource>>>;

/** What kept us from using a source, newest first. */
export function listTroubles(db: Db, limit: number) {
  return db
    .select()
    .from(chainTroubles)
    .orderBy(desc(chainTroubles.beganAt), desc(chainTroubles.id))
    .limit(limit);
}

/** Branches that were left, newest first. */
export function listReorgs(db: Db, limit: number) {
  return db
    .select()
    .from(chainReorgs)
    .orderBy(desc(chainReorgs.foundAt), desc(chainReorgs.id))
    .limit(limit);
}

const confirmations = sql<number>`chain_confirmations(chain_payments)`;
const isFinal = sql<boolean>`chain_is_final(chain_payments)`;

/** What each coin's payments wait for, as SQL: as `confirmationsNeeded` and `isConfirmed` have it. */
function isConfirmedIn(needed: Record<Coin, ConfirmationStep[]>): SQL {
  const p = chainPayments;
  const depth = sql`${chainPositions.height} - ${p.blockHeight} + 1`;
  const has = (blocks: Needed) =>
    blocks === "finalized"
      ? sql`${p.blockHeight} <= coalesce(${chainPositions.finalizedHeight}, -1)`
      : sql`${depth} >= case when ${p.coinbase} then greatest(${blocks}::int, ${coinbaseMaturity}::int) else ${blocks}::int end`;
  const ofCoin = (steps: ConfirmationStep[]) => {
    const fromTheLast = steps.toReversed();
    const cases = fromTheLast.map(
      ({ fromUnits, blocks }) => sql`when ${p.units} >= ${fromUnits}::numeric then ${has(blocks)}`,
    );
    return sql`case ${sql.join(cases, sql` `)} else ${has(1)} end`;
  };
  const coins = Object.entries(needed) as Array<[Coin, ConfirmationStep[]]>;
  const cases = coins.map(([coin, steps]) => sql`when ${coin} then ${ofCoin(steps)}`);
  return sql`case ${p.asset} ${sql.join(cases, sql` `)} end`;
}

/** Whether a chain and the ledger disagree about a payment. */
const isUnsettled = sql`${chainPayments.counts} <> (${chainPayments.settledAt} is not null)`;
const isInPosition = eq(chainPositions.chain, chainPayments.chain);

interface Due {
  needed: Record<Coin, ConfirmationStep[]>;
  now: Date;
  limit: number;
}

/**
 * Payments that are to be credited, since they have their confirmations, or to be taken back. Those that were never refused come
 * first; whoever is done with one makes it settled or postpones it, so that the head is never the same.
 */
export function listPaymentsToSettle(db: Db, chain: WalletChain, { needed, now, limit }: Due) {
  const p = chainPayments;
  return db
    .select({
      paymentId: p.id,
      asset: p.asset,
      units: p.units,
      coinbase: p.coinbase,
      isSettled: sql<boolean>`${p.settledAt} is not null`,
    })
    .from(p)
    .innerJoin(chainPositions, isInPosition)
    .where(
      and(
        eq(p.chain, chain),
        isUnsettled,
        lte(p.askAt, now),
        sql`(not ${p.counts} or ${isConfirmedIn(needed)})`,
      ),
    )
    .orderBy(sql`(${p.refusals} > 0)`, asc(p.askAt), asc(p.id))
    .limit(limit);
}

/** Confirmed payments that are not credited: how many, and since when the oldest is in a block. */
export async function findUncredited(db: Db, needed: Record<Coin, ConfirmationStep[]>) {
  const p = chainPayments;
  const [found] = await db
    .select({ count: count(), oldestAt: sql`min(${p.blockTime})`.mapWith(p.blockTime) })
    .from(p)
    .innerJoin(chainPositions, isInPosition)
    .where(and(isUnsettled, p.counts, isConfirmedIn(needed)));
  return { count: found?.count ?? 0, oldestAt: found?.oldestAt ?? null };
}

/** How many blocks hold a payment by now, its own and those after it, and whether its block is final. */
export async function findConfirmations(tx: Tx, paymentId: string) {
  const [found] = await tx
    .select({ confirmations, isFinal })
    .from(chainPayments)
    .where(eq(chainPayments.id, paymentId));
  return found ?? { confirmations: 0, isFinal: false };
}

/** Whose address a payment went to. */
export async function findOwnerOfAddress(tx: Tx, address: string): Promise<string | null> {
  const [owner] = await tx
    .select({ customerId: depositAddresses.customerId })
    .from(depositAddresses)
    .where(eq(depositAddresses.address, address));
  return owner?.customerId ?? null;
}

/** Whether an address is of a wallet here: a customer's to pay in at, or the operator's own. */
export async function isOurAddress(db: Db | Tx, address: string): Promise<boolean> {
  const [found] = await db
    .select({ address: walletAddresses.address })
    .from(walletAddresses)
    .where(eq(walletAddresses.address, address));
  return found !== undefined;
}

/** What was credited for payments in blocks above a height: taken back, unless the chain holds them again. */
export function listCreditedAbove(db: Db, chain: WalletChain, height: number) {
  const p = chainPayments;
  const isCredited = and(eq(p.state, "mined"), isNotNull(p.settledAt));
  return db
    .select({
      asset: p.asset,
      payments: count(),
      units: sql`sum(${p.units})`.mapWith(p.units),
    })
    .from(p)
    .where(and(eq(p.chain, chain), gt(p.blockHeight, height), isCredited))
    .groupBy(p.asset)
    .orderBy(p.asset);
}

const d = chainDepartures;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

/** What people said of chains that have left settled blocks, newest first. */
export function listDepartures(db: Db, chain: WalletChain, limit: number) {
  return db
    .select({
      ...{ id: d.id, state: d.state, reason: d.reason },
      ...{ oldHeight: d.oldHeight, oldHash: d.oldHash, newHash: d.newHash },
      ...{ forkHeight: d.forkHeight, proposedBy: d.proposedBy },
      ...{ proposedAt: d.proposedAt, proposerName: proposer.name },
      ...{ decidedAt: d.decidedAt, deciderName: decider.name },
    })
    .from(d)
    .innerJoin(proposer, eq(proposer.id, d.proposedBy))
    .leftJoin(decider, eq(decider.id, d.decidedBy))
    .where(eq(d.chain, chain))
    .orderBy(desc(d.proposedAt), desc(d.id))
    .limit(limit);
}
export type Departure = Awaited<ReturnType<typeof listDepartures>>[number];
