import { eq, min } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { ChainReader, KnownBlock, SourceTip } from "./chain-reader.ts";
import { chainBlocks, chainPositions, depositAddresses, wallets } from "./schema.ts";

/** Clocks of miners may be wrong by that much; those of Ethereum's validators are exact. */
const clockToleranceMs = 3 * 3_600_000;

/**
 * Begins to read a chain: after its newest block, or the newest one that is final where there is such a thing; or, when
 * addresses were given out before, after a block that is older than the first of them. Done once; whoever comes second
 * changes nothing.
 */
export async function beginPosition(
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
