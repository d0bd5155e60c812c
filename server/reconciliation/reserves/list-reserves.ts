import type { Db } from "#server/platform/database.ts";
import { and, desc, isNotNull, isNull } from "#server/platform/sql.ts";
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
  outputs: r.outputs,
  blockHeight: r.blockHeight,
  readAt: r.readAt,
  spentAt: r.spentAt,
};

/** What was signed, the newest first, whatever became of it. */
export function listReserves(db: Db, limit: number) {
  return db.select(columns).from(r).orderBy(desc(r.signedAt), desc(r.id)).limit(limit);
}

export type Reserve = Awaited<ReturnType<typeof listReserves>>[number];

/** Of each address its newest signature whose coins our node found, and did not miss since. At most 20. */
export async function listSignedCoins(db: Db): Promise<Reserve[]> {
  const here = and(isNull(r.spentAt), isNotNull(r.readAt));
  const newest = db
    .selectDistinctOn([r.address], columns)
    .from(r)
    .where(here)
    .orderBy(r.address, desc(r.day))
    .limit(20);
  return (await newest).filter(({ units }) => units !== null && units > 0n);
}
