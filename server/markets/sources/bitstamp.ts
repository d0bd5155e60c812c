import { z } from "#core/zod.ts";
import { askEach } from "./ask-each.ts";
import { onlyRead, readCandle, readPrice, startOfDay } from "./read-figures.ts";
import { figure, type PriceSource } from "./source.ts";

const ticker = z.object({
  last: z.string(),
  timestamp: figure,
  open_24: z.optional(z.nullable(z.string())),
});
const days = z.object({
  data: z.object({
    ohlc: z.array(
      z.object({ timestamp: figure, open: figure, high: figure, low: figure, close: figure }),
    ),
  }),
});

/** https://www.bitstamp.net/api/#ticker and #ohlc_data. */
export const bitstamp: PriceSource = {
  name: "bitstamp",

  askQuotes: (ask) =>
    askEach(async (asset) => {
      const { value } = await ask(`/api/v2/ticker/${asset.toLowerCase()}usd/`, ticker);
      const usdE8 = readPrice(value.last);
      const quotedAt = new Date(Number(value.timestamp) * 1000);
      if (usdE8 === null || Number.isNaN(quotedAt.getTime())) return null;
      return { usdE8, quotedAt, usdE8DayBefore: readPrice(value.open_24 ?? undefined) };
    }),

  async askCandles(ask, asset, { since }) {
    const pair = `${asset.toLowerCase()}usd`;
    const path = `/api/v2/ohlc/${pair}/?step=86400&limit=1000&start=${startOfDay(since)}`;
    const { value } = await ask(path, days);
    return onlyRead(
      value.data.ohlc.map(({ timestamp, ...prices }) =>
        readCandle({ seconds: timestamp, ...prices }),
      ),
    );
  },
};
