import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { ChainReader } from "./chain-reader.ts";
import { findFork, findSettledFork } from "./find-fork.ts";
import { findPosition, type Position } from "./find-position.ts";
import { chainDeepReorgs } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

const d = chainDeepReorgs;

/** What two people said of the branch that a source has now, as long as it has it; null: nothing. */
export async function findConfirmedReorg(db: Db, reader: ChainReader, position: Position) {
  const isFromHere = and(
    eq(d.chain, reader.chain),
    eq(d.oldHash, position.hash),
    eq(d.state, "confirmed"),
  );
  for (const deepReorg of await db.select().from(d).where(isFromHere)) {
    const { oldHeight, newHash, forkHeight, forkHash } = deepReorg;
    const isThatBranch = (await reader.hashAt(oldHeight)) === newHash;
    if (isThatBranch && (await reader.hashAt(forkHeight)) === forkHash) return deepReorg;
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
 * @throws SourceIncident
 */
export async function findDeepReorg(db: Db, reader: ChainReader): Promise<LeftBehind | null> {
  const position = await findPosition(db, reader.chain);
  const newHash = position && (await reader.hashAt(position.height));
  if (!newHash || newHash === position.hash) return null;
  try {
    await findFork(db, reader, position);
    return null;
  } catch (error) {
    const isTooDeep = error instanceof SourceIncident && error.health === "reorg-too-deep";
    if (!isTooDeep) throw error;
    return { position, newHash, fork: await findSettledFork(db, reader, position) };
  }
}
