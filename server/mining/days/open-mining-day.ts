import { allowMinutes, type Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { askEngine } from "../ask-engine.ts";

/**
 * Freezes what a UTC day's credits follow from: payouts, hashrate, price, maintenance, reference. From here on the day
 * can be posted by any process, and nothing that happens later changes it. Opening it again does nothing.
 *
 * @param actionId the act of staff who posted it; null: it goes by itself.
 * @throws Refusal `mining/day-not-over`, `mining/day-out-of-order`, `mining/evidence-incomplete`, `mining/no-price`
 */
export async function openMiningDay(
  tx: Tx,
  day: string,
  { now, actionId }: { now: Date; actionId: string | null },
): Promise<{ opened: boolean }> {
  await allowMinutes(tx, 10);
  const at = now.toISOString();
  const opened = await askEngine<boolean>(
    tx,
    sql`mining_open_day(${day}::date, ${at}::timestamptz, ${actionId}::uuid)`,
  );
  return { opened };
}
