import type { Db } from "#server/platform/database.ts";
import { and, desc, gt, isNull } from "#server/platform/sql.ts";
import { reserveSignatures } from "../schema.ts";

const r = reserveSignatures;
const columns = {
  id: r.id,
  day: r.day,
  address: r.address,
  message: r.message,
  signature: r.signature,
  signedAt: r.signedAt,
  units: r.units,
  blockHeight: r.blockHeight,
  readAt: r.readAt,
  seenAt: r.seenAt,
  spentAt: r.spentAt,
};

/** What was signed, the newest first, whatever became of it. */
export function listReserves(db: Db, limit: number) {
  return db.select(columns).from(r).orderBy(desc(r.signedAt), desc(r.id)).limit(limit);
}

export type Reserve = Awaited<ReturnType<typeof listReserves>>[number];

/** Of each address its newest signature whose coins our node found last within a day, the most coins first. */
export async function listSignedCoins(db: Db, now: Date): Promise<Reserve[]> {
  const seen = gt(r.seenAt, new Date(now.getTime() - 26 * 3_600_000));
  const newest = await db
    .selectDistinctOn([r.address], columns)
    .from(r)
    .where(and(isNull(r.spentAt), seen))
    .orderBy(r.address, desc(r.day));
  return newest.sort((a, b) => ((a.units ?? 0n) > (b.units ?? 0n) ? -1 : 1));
}
