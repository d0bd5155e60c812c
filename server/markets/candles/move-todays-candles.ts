import { utcDay } from "#core/utc-day.ts";
import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { FoundPrice } from "../round.ts";
import { marketCandles } from "../schema.ts";

/**
 * Lets today's candle move with the prices until the day is over. What was simulated gives way to what is
 * real, and never the other way round.
 */
export async function moveTodaysCandles(
  tx: Tx,
  found: FoundPrice[],
  { askedAt, simulated }: { askedAt: Date; simulated: boolean },
): Promise<void> {
  if (found.length === 0) return;
  const c = marketCandles;
  const isReplaced = sql`${c.simulated} and not excluded.simulated`;
  await tx
    .insert(c)
    .values(
      found.map(({ asset, usdE8 }) => ({
        asset,
        day: utcDay(askedAt),
        openUsdE8: usdE8,
        highUsdE8: usdE8,
        lowUsdE8: usdE8,
        closeUsdE8: usdE8,
        sources: [],
        isFinal: false,
        simulated,
        updatedAt: askedAt,
      })),
    )
    .onConflictDoUpdate({
      target: [c.asset, c.day],
      set: {
        openUsdE8: sql`case when ${isReplaced} then excluded.open_usd_e8 else ${c.openUsdE8} end`,
        highUsdE8: sql`case when ${isReplaced} then excluded.high_usd_e8
          else greatest(${c.highUsdE8}, excluded.high_usd_e8) end`,
        lowUsdE8: sql`case when ${isReplaced} then excluded.low_usd_e8
          else least(${c.lowUsdE8}, excluded.low_usd_e8) end`,
        closeUsdE8: sql`excluded.close_usd_e8`,
        sources: sql`case when ${isReplaced} then excluded.sources else ${c.sources} end`,
        simulated: sql`excluded.simulated`,
        updatedAt: sql`excluded.updated_at`,
      },
      setWhere: sql`not ${c.isFinal} and ${c.updatedAt} <= excluded.updated_at
        and (${c.simulated} or not excluded.simulated)`,
    });
}
