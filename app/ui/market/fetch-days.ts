import type { DayFigures } from "#core/markets/market-overview.ts";
import { type CandlesMessage, type PricedAsset, parseUsd } from "#core/price.ts";

export interface FetchedDays {
  days: DayFigures[];
  simulated: boolean;
}

/** Fetches an asset's days from this site's own server. A day whose figures cannot be read is left out. */
export async function fetchDays(asset: PricedAsset): Promise<FetchedDays> {
  const answer = await fetch(`/market/candles/${asset}.json`);
  if (!answer.ok) throw new Error(`candles: ${answer.status}`);
  const { candles, simulated } = (await answer.json()) as CandlesMessage;
  const days = candles.flatMap(({ day, open, high, low, close }) => {
    const [openUsdE8, highUsdE8, lowUsdE8, closeUsdE8] = [open, high, low, close].map(parseUsd);
    return openUsdE8 && highUsdE8 && lowUsdE8 && closeUsdE8
      ? [{ day, openUsdE8, highUsdE8, lowUsdE8, closeUsdE8 }]
      : [];
  });
  return { days, simulated };
}
