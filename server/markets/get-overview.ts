import { deriveOverview, type OverviewChoice, ranges } from "#core/markets/market-overview.ts";
import type { Db } from "../platform/database.ts";
import { memoizeFor } from "../platform/memoize-for.ts";
import { listCandles } from "./candles/list-candles.ts";

/**
 * What a market overview shows of an asset's past: its figures are null while there is no history. Read once
 * for all who ask within five seconds: a year of days is the largest part of a dashboard.
 */
export const getOverview = memoizeFor(
  5_000,
  ({ asset, range }: OverviewChoice) => `${asset} ${range}`,
  readOverview,
);

async function readOverview(db: Db, choice: OverviewChoice, now: Date) {
  const days = await listCandles(db, choice.asset, { days: ranges["12M"], now });
  return {
    ...choice,
    figures: deriveOverview(choice, days),
    simulated: days.some(({ simulated }) => simulated),
  };
}
