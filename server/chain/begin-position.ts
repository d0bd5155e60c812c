import { min } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import type { BlockSource, SourceTip } from "./block-source.ts";
import { chainBlocks, chainPositions, depositAddresses } from "./schema.ts";

/** Clocks of miners may be wrong by that much. */
const clockToleranceMs = 3 * 3_600_000;

/**
 * Begins to read the Bitcoin chain: after the newest block, or, when addresses were given out before, after a block that
 * is older than the first of them. Done once; whoever comes second changes nothing.
 */
export async function beginPosition(
  db: Db,
  source: BlockSource,
  tip: SourceTip,
  now: Date,
): Promise<void> {
  const [first] = await db
    .select({ issuedAt: min(depositAddresses.issuedAt) })
    .from(depositAddresses);
  const last = first?.issuedAt
    ? await blockBefore(source, tip, new Date(first.issuedAt.getTime() - clockToleranceMs))
    : tip;
  await db.transaction(async (tx) => {
    const begun = await tx
      .insert(chainPositions)
      .values({
        chain: "bitcoin",
        beganAtHeight: last.height + 1,
        height: last.height,
        hash: last.hash,
        blockTime: last.time,
        readAt: now,
      })
      .onConflictDoNothing()
      .returning({ chain: chainPositions.chain });
    if (begun.length === 0) return;
    await tx.insert(chainBlocks).values({ chain: "bitcoin", height: last.height, hash: last.hash });
  });
}

/** The last block from before a moment, found by halves; times in a chain rise, but for an hour or two. */
async function blockBefore(source: BlockSource, tip: SourceTip, moment: Date) {
  let low = await blockAt(source, 0);
  let high = tip.height + 1;
  while (high - low.height > 1) {
    const middle = await blockAt(source, Math.floor((low.height + high) / 2));
    if (middle.time < moment) low = middle;
    else high = middle.height;
  }
  return low;
}

async function blockAt(source: BlockSource, height: number) {
  const hash = await source.hashAt(height);
  if (hash === null) throw new Error(`the source has no block ${height} below its own tip`);
  return { height, hash, time: await source.timeOf(hash) };
}
