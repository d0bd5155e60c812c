import { eq, min } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { ChainReader, KnownBlock, SourceTip } from "./chain-reader.ts";
import { findConfirmedReorg } from "./find-deep-reorg.ts";
import { findFork } from "./find-fork.ts";
import { findPosition, type Position } from "./find-position.ts";
import { recordBlock } from "./record-block.ts";
import { rollBack } from "./roll-back.ts";
import { chainBlocks, chainPositions, depositAddresses, wallets } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

/** How far a pass got. */
export interface Followed {
  blocks: number;
  /** Payments whose block left the chain. */
  orphaned: number;
  /** Whether nothing is left to read. */
  isAtTip: boolean;
}

/**
 * Reads a chain on from where it was read to, block by block, up to a source's newest one or until `stop` says so. A
 * branch that the chain has left is left first. It may be killed at any line and run twice at once: each step is one
 * transaction that begins from the position it was made for.
 *
 * @throws SourceIncident
 */
export async function followChain(
  db: Db,
  reader: ChainReader,
  { tip, stop, now }: { tip: SourceTip; stop(): boolean; now(): Date },
): Promise<Followed> {
  const followed: Followed = { blocks: 0, orphaned: 0, isAtTip: false };
  const pass = { db, reader, tip, now };
  const { chain } = reader;
  if (!(await findPosition(db, chain))) await beginPosition(db, reader, tip, now());
  while (!stop() && !followed.isAtTip) {
    const position = await findPosition(db, chain);
    if (!position) break;
    await step(pass, position, followed);
  }
  return followed;
}

interface Pass {
  db: Db;
  reader: ChainReader;
  tip: SourceTip;
  now(): Date;
}

/** One step: a branch left, a block read, or nothing left to do. */
async function step(pass: Pass, position: Position, followed: Followed): Promise<void> {
  const { reader, tip } = pass;
  const hasIt = position.hash === tip.hash || (await stillHas(reader, position));
  // A longer branch may be on its way: only who has as many blocks can take some of ours away.
  if (tip.height < position.height) throw behind(tip, position);
  if (!hasIt) {
    const left = await leave(pass, position);
    followed.orphaned += left?.payments ?? 0;
  } else if (tip.height === position.height) {
    followed.isAtTip = true;
  } else if (await readNext(pass, position)) {
    followed.blocks += 1;
  }
}

/** By itself as far as blocks may be left, and further where two people have said so of this very branch. */
async function leave({ db, reader, now }: Pass, position: Position) {
  const { chain } = reader;
  try {
    const fork = await findFork(db, reader, position);
    return await rollBack(db, chain, { position, fork }, now());
  } catch (error) {
    const isTooDeep = error instanceof SourceIncident && error.health === "reorg-too-deep";
    const deepReorg = isTooDeep ? await findConfirmedReorg(db, reader, position) : null;
    if (!deepReorg) throw error;
    const fork = { height: deepReorg.forkHeight, hash: deepReorg.forkHash };
    return rollBack(db, chain, { position, fork, deepReorgId: deepReorg.id }, now());
  }
}

/** Above its newest block a source has nothing of ours to deny. */
async function stillHas(reader: ChainReader, { height, hash }: Position): Promise<boolean> {
  const there = await reader.hashAt(height);
  return there === null || there === hash;
}

function behind(tip: SourceTip, position: Position): SourceIncident {
  const words = `its newest block is ${tip.height}, and block ${position.height} was read before`;
  return new SourceIncident("behind", words);
}

async function readNext({ db, reader, now }: Pass, position: Position): Promise<boolean> {
  const hash = await reader.hashAt(position.height + 1);
  // It has left for another branch meanwhile: the next look sees that.
  if (hash === null) return false;
  const block = await reader.readBlock(hash, position).catch(async (error: unknown) => {
    if (await hasMoved(reader, position)) return null;
    throw error;
  });
  if (!block || (await hasMoved(reader, position))) return false;
  return recordBlock(db, reader.chain, block, position, now());
}

async function hasMoved(reader: ChainReader, { height, hash }: Position): Promise<boolean> {
  return (await reader.hashAt(height)) !== hash;
}

/** Clocks of miners may be wrong by that much; those of Ethereum's validators are exact. */
const clockToleranceMs = 3 * 3_600_000;

/**
 * Begins to read a chain: after its newest block, or the newest one that is final where there is such a thing; or, when
 * addresses were given out before, after a block that is older than the first of them. Done once; whoever comes second
 * changes nothing.
 */
async function beginPosition(
  db: Db,
  reader: ChainReader,
  tip: SourceTip,
  now: Date,
): Promise<void> {
  const { chain } = reader;
  const [first] = await db
    .select({ issuedAt: min(depositAddresses.issuedAt) })
    .from(depositAddresses)
    .innerJoin(wallets, eq(wallets.id, depositAddresses.walletId))
    .where(eq(wallets.chain, chain));
  const newest = tip.finalized ?? tip;
  const last = first?.issuedAt
    ? await blockBefore(reader, newest, new Date(first.issuedAt.getTime() - clockToleranceMs))
    : newest;
  await db.transaction(async (tx) => {
    const begun = await tx
      .insert(chainPositions)
      .values({
        chain,
        beganAtHeight: last.height + 1,
        height: last.height,
        hash: last.hash,
        blockTime: last.time,
        readAt: now,
      })
      .onConflictDoNothing()
      .returning({ chain: chainPositions.chain });
    if (begun.length === 0) return;
    await tx.insert(chainBlocks).values({ chain, height: last.height, hash: last.hash });
  });
}

/** The last block from before a moment, found by halves; times in a chain rise, but for an hour or two. */
async function blockBefore(reader: ChainReader, newest: KnownBlock, moment: Date) {
  let low = await blockAt(reader, 0);
  let high = newest.height + 1;
  while (high - low.height > 1) {
    const middle = await blockAt(reader, Math.floor((low.height + high) / 2));
    if (middle.time < moment) low = middle;
    else high = middle.height;
  }
  return low;
}

async function blockAt(reader: ChainReader, height: number) {
  const hash = await reader.hashAt(height);
  if (hash === null) throw new Error(`the source has no block ${height} below its own tip`);
  return { height, hash, time: await reader.timeOf(hash) };
}
