import { and, eq, isNotNull, ne, or, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { alikeHashBits, looksAlike } from "../../platform/files/likeness.ts";
import { depositSlipLikenesses, depositSlips } from "../schema.ts";

/** Pictures whose thumbnails are compared, those with the nearest hashes first. */
const maxCandidates = 500;

/**
 * Looks for earlier slips, of any customer, that are the same file or show the same picture, and writes
 * them down for the reviewer. Of two slips submitted at the same moment at least one finds the other.
 * Running it again finds nothing new.
 */
export async function compareSlip(db: Db, slipId: string, now: Date): Promise<void> {
  const [slip] = await db.select().from(depositSlips).where(eq(depositSlips.id, slipId));
  if (!slip?.submittedAt || slip.comparedAt) return;
  const candidates = await findCandidates(db, slip);
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

function findCandidates(db: Db, slip: typeof depositSlips.$inferSelect) {
  const s = depositSlips;
  const sameFile = sql<boolean>`${s.originalSha256} = ${slip.originalSha256}`;
  const distance = sql`bit_count(${s.likenessHash} # ${slip.likenessHash}::bit(256))`;
  const near = slip.likenessHash ? sql`${distance} <= ${alikeHashBits}` : sql`false`;
  return db
    .select({ id: s.id, sameFile, thumbnail: s.thumbnail })
    .from(s)
    .where(and(ne(s.id, slip.id), isNotNull(s.submittedAt), or(sameFile, near)))
    .orderBy(sql`${sameFile} desc`, slip.likenessHash ? distance : s.createdAt)
    .limit(maxCandidates);
}
