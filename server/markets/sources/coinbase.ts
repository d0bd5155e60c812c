import { utcDay } from "#core/utc-day.ts";
import { z } from "#core/zod.ts";
import { askEach } from "./ask-each.ts";
import { onlyRead, readCandle, readPrice, startOfDay } from "./read-figures.ts";
import { figure, type PriceSource, type SourceCandle } from "./source.ts";

const ticker = z.object({ price: z.string(), time: z.string() });
const days = z.array(z.array(figure));
/** It refuses to give more at a time. */
const daysAtOnce = 300;
const dayMs = 86_400_000;

/** Coinbase Exchange: https://docs.cdp.coinbase.com/exchange/reference, product ticker and candles. */
export const coinbase: PriceSource = {
  name: "coinbase",

  askQuotes: (ask) =>
    askEach(async (asset) => {
      const { value } = await ask(`/products/${asset}-USD/ticker`, ticker);
      const usdE8 = readPrice(value.price);
      const quotedAt = new Date(value.time);
      if (usdE8 === null || Number.isNaN(quotedAt.getTime())) return null;
      return { usdE8, quotedAt, usdE8DayBefore: null };
    }),

  async askCandles(ask, asset, { since, now }) {
    const candles: SourceCandle[] = [];
    const today = startOfDay(utcDay(now)) * 1000;
    for (let from = startOfDay(since) * 1000; from <= today; from += daysAtOnce * dayMs) {
      const to = Math.min(from + (daysAtOnce - 1) * dayMs, today);
      const range = `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`;
      const path = `/products/${asset}-USD/candles?granularity=86400&${range}`;
      const { value } = await ask(path, days);
      const read = value.map(([seconds, low, high, open, close]) =>
        readCandle({ seconds, open, high, low, close }),
      );
      candles.push(...onlyRead(read));
    }
    return candles;
  },
};
