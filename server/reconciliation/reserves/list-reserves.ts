import type { Coin } from "#core/asset.ts";
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
  usdtUnits: r.usdtUnits,
  blockHeight: r.blockHeight,
  readAt: r.readAt,
  seenAt: r.seenAt,
  spentAt: r.spentAt,
};

type Row = { [Name in keyof typeof columns]: (typeof r.$inferSelect)[Name] };

export interface Reserve extends Omit<Row, "units" | "usdtUnits"> {
  /** What our node found there; null: it has not answered yet. */
  holds: Partial<Record<Coin, bigint>> | null;
}

/** What was signed, the newest first, whatever became of it. */
export async function listReserves(db: Db, limit: number): Promise<Reserve[]> {
  const rows = await db.select(columns).from(r).orderBy(desc(r.signedAt), desc(r.id)).limit(limit);
  return rows.map(toReserve);
}

/** Of each address its newest signature whose coins our node found last within a day: of bitcoin first, the most coins first. */
export async function listSignedCoins(db: Db, now: Date): Promise<Reserve[]> {
  const seen = gt(r.seenAt, new Date(now.getTime() - 26 * 3_600_000));
  const newest = await db
    .selectDistinctOn([r.address], columns)
    .from(r)
    .where(and(isNull(r.spentAt), seen))
    .orderBy(r.address, desc(r.day));
  const bitcoinOf = ({ holds }: Reserve) => holds?.BTC ?? -1n;
  return newest.map(toReserve).sort((a, b) => (bitcoinOf(a) > bitcoinOf(b) ? -1 : 1));
}

function toReserve({ units, usdtUnits, ...row }: Row): Reserve {
  if (units === null) return { ...row, holds: null };
  const holds = usdtUnits === null ? { BTC: units } : { ETH: units, USDT: usdtUnits };
  return { ...row, holds };
}
