import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, count, desc, eq, gt, isNotNull, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import type { ChainReader } from "./chain-reader.ts";
import { findFork, findSettledFork } from "./find-fork.ts";
import { findPosition, type Position } from "./queries.ts";
import { chainDepartures, chainPayments } from "./schema.ts";
import { SourceTrouble } from "./source-condition.ts";

const d = chainDepartures;

/** What two people said of the branch that a source has now, as long as it has it; null: nothing. */
export async function findDeparture(db: Db, reader: ChainReader, position: Position) {
  const isFromHere = and(
    eq(d.chain, reader.chain),
    eq(d.oldHash, position.hash),
    eq(d.state, "confirmed"),
  );
  for (const departure of await db.select().from(d).where(isFromHere)) {
    const { oldHeight, newHash, forkHeight, forkHash } = departure;
    const isThatBranch = (await reader.hashAt(oldHeight)) === newHash;
    if (isThatBranch && (await reader.hashAt(forkHeight)) === forkHash) return departure;
  }
  return null;
}

/** Where a chain went that has left blocks which were settled. */
export interface LeftBehind {
  position: Position;
  /** What the source has at the height of the last block that was read. */
  newHash: string;
  fork: { height: number; hash: string };
}

/**
 * Asks a source whether its chain has left blocks that were settled; null: it has not, or not so many that people have to say so.
 *
 * @throws SourceTrouble
 */
export async function lookForDeparture(db: Db, reader: ChainReader): Promise<LeftBehind | null> {
  const position = await findPosition(db, reader.chain);
  const newHash = position && (await reader.hashAt(position.height));
  if (!newHash || newHash === position.hash) return null;
  try {
    await findFork(db, reader, position);
    return null;
  } catch (error) {
    const isTooDeep = error instanceof SourceTrouble && error.condition === "reorg-too-deep";
    if (!isTooDeep) throw error;
    return { position, newHash, fork: await findSettledFork(db, reader, position) };
  }
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
