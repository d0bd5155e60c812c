import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, desc, eq, lt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { ChainReader } from "./chain-reader.ts";
import type { Position } from "./find-position.ts";
import { chainBlocks, chainPayments } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

export interface Fork {
  height: number;
  hash: string;
}

/**
 * The newest block before the last one read that a source's chain still has, among those that may be left: they are remembered,
 * and not below what was final.
 *
 * @throws SourceIncident `reorg-too-deep` where there is none
 */
export async function findFork(db: Db, reader: ChainReader, position: Position): Promise<Fork> {
  const { finalizedHeight } = position;
  for (const block of await listBlocks(db, reader.chain)) {
    if (block.height >= position.height) continue;
    if (finalizedHeight !== null && block.height < finalizedHeight) {
      throw tooDeep(`it left block ${finalizedHeight}, which was final`);
    }
    if ((await reader.hashAt(block.height)) === block.hash) return block;
  }
  throw tooDeep(`none of the last blocks up to ${position.height} is in its chain`);
}

function tooDeep(words: string): SourceIncident {
  return new SourceIncident("reorg-too-deep", words);
}

/**
 * The same beyond what was settled: the newest block of all that are known, remembered or named by a payment. Where the source
 * has none of them, the one before reading began, as the source has it: to read again what did not change costs time alone.
 *
 * @throws SourceIncident
 */
export async function findSettledFork(
  db: Db,
  reader: ChainReader,
  position: Position,
): Promise<Fork> {
  const known = await listKnownBlocks(db, reader.chain, position.height);
  // A chain that has a block has all that it follows, so halves will do.
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = known[middle];
    if (block && (await reader.hashAt(block.height)) === block.hash) low = middle + 1;
    else high = middle;
  }
  const newest = known[low - 1];
  if (newest) return newest;
  const height = position.beganAtHeight - 1;
  const hash = await reader.hashAt(height);
  if (hash === null) throw new SourceIncident("behind", `it has no block ${height}`);
  return { height, hash };
}

/** Below a height, oldest first. */
async function listKnownBlocks(db: Db, chain: WalletChain, below: number): Promise<Fork[]> {
  const remembered = (await listBlocks(db, chain)).filter(({ height }) => height < below);
  const oldest = remembered.at(-1)?.height ?? below;
  const { blockHeight, blockHash } = chainPayments;
  const paid = await db
    .selectDistinct({ height: blockHeight, hash: blockHash })
    .from(chainPayments)
    .where(
      and(
        eq(chainPayments.chain, chain),
        eq(chainPayments.state, "mined"),
        lt(blockHeight, oldest),
      ),
    )
    .orderBy(asc(blockHeight));
  const older = paid.flatMap(({ height, hash }) =>
    height === null || hash === null ? [] : [{ height, hash }],
  );
  return [...older, ...remembered.reverse()];
}

/** The blocks that are remembered, newest first. */
function listBlocks(db: Db, chain: WalletChain): Promise<Array<{ height: number; hash: string }>> {
  return db
    .select({ height: chainBlocks.height, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height));
}
