import { and, eq, gt, isNotNull, lte, ne, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { alikeHashBits, looksAlike } from "../../platform/files/likeness.ts";
import { depositSlipLikenesses, depositSlips } from "../schema.ts";

/** Pictures whose thumbnails are compared, those with the nearest hashes first. */
const maxCandidates = 500;
/** A picture is compared with those of so long ago: all of them are read. The same file is found however old it is. */
const comparedMs = 400 * 86_400_000;

/**
 * Looks for earlier slips, of any customer, that are the same file or show the same picture, and writes
 * them down for the reviewer. Of two slips submitted at the same moment at least one finds the other.
 * Running it again finds nothing new.
 */
export async function compareSlip(db: Db, slipId: string, now: Date): Promise<void> {
  const [slip] = await db.select().from(depositSlips).where(eq(depositSlips.id, slipId));
  if (!slip?.submittedAt || slip.comparedAt) return;
  const candidates = await findCandidates(db, slip, now);
  const found = candidates.filter(
    ({ sameFile, thumbnail }) =>
      sameFile || (thumbnail && slip.thumbnail && looksAlike(thumbnail, slip.thumbnail)),
  );
  await db.transaction(async (tx) => {
    if (found.length > 0) {
      const pairs = found.map(({ id, sameFile }) => ({ slipId, earlierSlipId: id, sameFile }));
      await tx.insert(depositSlipLikenesses).values(pairs).onConflictDoNothing();
    }
    await tx.update(depositSlips).set({ comparedAt: now }).where(eq(depositSlips.id, slipId));
  });
}

async function findCandidates(db: Db, slip: typeof depositSlips.$inferSelect, now: Date) {
  const s = depositSlips;
  const columns = { id: s.id, thumbnail: s.thumbnail };
  const isOther = and(ne(s.id, slip.id), isNotNull(s.submittedAt));
  const same = await db
    .select(columns)
    .from(s)
    .where(and(isOther, eq(s.originalSha256, slip.originalSha256)))
    .orderBy(s.createdAt)
    .limit(maxCandidates);
  const found = same.map((each) => ({ ...each, sameFile: true }));
  if (!slip.likenessHash) return found;
  const distance = sql`bit_count(${s.likenessHash} # ${slip.likenessHash}::bit(256))`;
  const isRecent = gt(s.submittedAt, new Date(now.getTime() - comparedMs));
  const isAnother = ne(s.originalSha256, slip.originalSha256);
  const near = await db
    .select(columns)
    .from(s)
    .where(and(isOther, isRecent, isAnother, lte(distance, alikeHashBits)))
    .orderBy(distance)
    .limit(maxCandidates);
  return [...found, ...near.map((each) => ({ ...each, sameFile: false }))];
}
