import { randomUUIDv7 } from "node:crypto";
import { toUsd } from "#core/price.ts";
import { inArray, isNull, sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { Drop, JudgedAsset } from "./judge-round.ts";
import type { Change } from "./round.ts";
import { marketDrops } from "./schema.ts";

/**
 * Keeps from when to when an exchange's quotes of an asset are left out. A drop begins when a quote is first
 * left out, and ends when the exchange answers with one that is not, or is no longer asked at all; an
 * exchange that does not answer changes nothing.
 */
export async function recordDrops(
  tx: Tx,
  judged: JudgedAsset[],
  round: { answered: string[]; configured: string[]; askedAt: Date },
): Promise<Change[]> {
  const d = marketDrops;
  const open = await tx.select().from(d).where(isNull(d.endedAt)).for("update");
  const wanted = judged.flatMap(({ drops }) => drops);
  const isSame = (one: KnownDrop, other: KnownDrop) =>
    one.source === other.source && one.asset === other.asset && one.reason === other.reason;
  const ended = open.filter(
    (drop) =>
      !round.configured.includes(drop.source) ||
      (round.answered.includes(drop.source) && !wanted.some((other) => isSame(drop, other))),
  );
  const begun = wanted.filter((drop) => !open.some((other) => isSame(drop, other)));
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id);
    await tx
      .update(d)
      .set({ endedAt: sql`greatest(${d.startedAt}, ${round.askedAt.toISOString()}::timestamptz)` })
      .where(inArray(d.id, ids));
  }
  if (begun.length > 0) {
    const rows = begun.map((drop) => ({ id: randomUUIDv7(), startedAt: round.askedAt, ...drop }));
    // Two rounds that ended at once saw the same drop: one row is enough.
    await tx.insert(d).values(rows).onConflictDoNothing();
  }
  return [...begun.map(sayBegun), ...ended.map(sayEnded)];
}

type KnownDrop = Pick<Drop, "source" | "asset" | "reason">;

function sayBegun({ source, asset, reason, usdE8, medianUsdE8, quotedAt }: Drop): Change {
  const facts = {
    source,
    asset,
    reason,
    usd: usdE8 === null ? null : toUsd(usdE8),
    medianUsd: medianUsdE8 === null ? null : toUsd(medianUsdE8),
    quotedAt,
  };
  return { level: "warn", words: "market quote left out from now on", facts };
}

function sayEnded({ source, asset, reason }: KnownDrop): Change {
  return { level: "info", words: "market quote counts again", facts: { source, asset, reason } };
}
