import type { Network } from "#core/address.ts";
import type { Db } from "../platform/database.ts";
import { beginPosition } from "./begin-position.ts";
import type { BlockSource, SourceTip } from "./block-source.ts";
import { checkBlock } from "./check-block.ts";
import { leaveBranch } from "./leave-branch.ts";
import { findPosition, listBlocks, type Position } from "./queries.ts";
import { recordBlock } from "./record-block.ts";
import { SourceTrouble } from "./source-condition.ts";

/** How far a pass got. */
export interface Followed {
  blocks: number;
  /** Payments whose block left the chain. */
  orphaned: number;
  /** Whether nothing is left to read. */
  isAtTip: boolean;
}

/**
 * Reads the chain on from where it was read to, block by block, up to a source's newest one or until `stop` says so. A
 * branch that the chain has left is left first. It may be killed at any line and run twice at once: each step is one
 * transaction that begins from the position it was made for.
 *
 * @throws SourceTrouble
 */
export async function followChain(
  db: Db,
  source: BlockSource,
  { tip, network, stop, now }: { tip: SourceTip; network: Network; stop(): boolean; now(): Date },
): Promise<Followed> {
  const followed: Followed = { blocks: 0, orphaned: 0, isAtTip: false };
  const pass = { db, source, tip, network, now };
  if (!(await findPosition(db))) await beginPosition(db, source, tip, now());
  while (!stop() && !followed.isAtTip) {
    const position = await findPosition(db);
    if (!position) break;
    await step(pass, position, followed);
  }
  return followed;
}

interface Pass {
  db: Db;
  source: BlockSource;
  tip: SourceTip;
  network: Network;
  now(): Date;
}

/** One step: a branch left, a block read, or nothing left to do. */
async function step(pass: Pass, position: Position, followed: Followed): Promise<void> {
  const { db, source, tip, now } = pass;
  const hasIt = position.hash === tip.hash || (await stillHas(source, position));
  // A longer branch may be on its way: only who has as many blocks can take some of ours away.
  if (tip.height < position.height) throw behind(tip, position);
  if (!hasIt) {
    const left = await leaveBranch(db, position, await findFork(db, source, position), now());
    followed.orphaned += left?.payments ?? 0;
  } else if (tip.height === position.height) {
    followed.isAtTip = true;
  } else if (await readNext(pass, position)) {
    followed.blocks += 1;
  }
}

/** Above its newest block a source has nothing of ours to deny. */
async function stillHas(source: BlockSource, { height, hash }: Position): Promise<boolean> {
  const there = await source.hashAt(height);
  return there === null || there === hash;
}

function behind(tip: SourceTip, position: Position): SourceTrouble {
  const words = `its newest block is ${tip.height}, and block ${position.height} was read before`;
  return new SourceTrouble("behind", words);
}

async function findFork(db: Db, source: BlockSource, position: Position) {
  for (const block of await listBlocks(db)) {
    if (block.height >= position.height) continue;
    if ((await source.hashAt(block.height)) === block.hash) return block;
  }
  throw new SourceTrouble(
    "reorg-too-deep",
    `none of the last blocks up to ${position.height} is in its chain`,
  );
}

async function readNext({ db, source, network, now }: Pass, position: Position): Promise<boolean> {
  const hash = await source.hashAt(position.height + 1);
  // It has left for another branch meanwhile: the next look sees that.
  if (hash === null) return false;
  const bytes = await source.readBlock(hash);
  if ((await source.hashAt(position.height)) !== position.hash) return false;
  return recordBlock(db, checkBlock(bytes, { hash, before: position, network }), position, now());
}
