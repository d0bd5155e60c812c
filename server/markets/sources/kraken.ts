import { type PricedAsset, pricedAssets } from "#core/price.ts";
import { z } from "#core/zod.ts";
import { SourceError } from "./ask.ts";
import { onlyRead, readCandle, readPrice, startOfDay } from "./read-figures.ts";
import { figure, type PriceSource, type SourceQuote } from "./source.ts";

/** The pair as it is asked for, and the name under which Kraken answers: its internal one, for old pairs. */
const pairs: Record<PricedAsset, { asked: string; answered: string }> = {
  BTC: { asked: "XBTUSD", answered: "XXBTZUSD" },
  ETH: { asked: "ETHUSD", answered: "XETHZUSD" },
  XRP: { asked: "XRPUSD", answered: "XXRPZUSD" },
  DOGE: { asked: "XDGUSD", answered: "XDGUSD" },
  SOL: { asked: "SOLUSD", answered: "SOLUSD" },
  USDT: { asked: "USDTUSD", answered: "USDTZUSD" },
};

/** Errors come with HTTP 200, as words in a list. */
const envelope = z.object({
  error: z.array(z.string()),
  result: z.optional(z.record(z.string(), z.unknown())),
});
const ticker = z.object({ c: z.array(figure) });
const days = z.array(z.array(figure));

/** https://docs.kraken.com/api/docs/rest-api/get-ticker-information and get-ohlc-data. */
export const kraken: PriceSource = {
  name: "kraken",

  async askQuotes(ask) {
    const pairsAsked = pricedAssets.map((asset) => pairs[asset].asked).join(",");
    const { value, madeAt } = await ask(`/0/public/Ticker?pair=${pairsAsked}`, envelope);
    const result = resultOf(value);
    const quotes = new Map<PricedAsset, SourceQuote>();
    for (const asset of pricedAssets) {
      const parsed = ticker.safeParse(resultFor(result, asset));
      const usdE8 = parsed.success ? readPrice(parsed.data.c[0]) : null;
      // Its opening price is that of midnight UTC, not of 24 hours ago.
      if (usdE8 !== null) quotes.set(asset, { usdE8, quotedAt: madeAt, usdE8DayBefore: null });
    }
    return quotes;
  },

  async askCandles(ask, asset, { since }) {
    // It gives what came after the moment, and at most 720 days.
    const after = startOfDay(since) - 1;
    const path = `/0/public/OHLC?pair=${pairs[asset].asked}&interval=1440&since=${after}`;
    const { value } = await ask(path, envelope);
    const parsed = days.safeParse(resultFor(resultOf(value), asset));
    if (!parsed.success) throw new SourceError("answered in an unknown shape (at candles)");
    return onlyRead(
      parsed.data.map(([seconds, open, high, low, close]) =>
        readCandle({ seconds, open, high, low, close }),
      ),
    );
  },
};

function resultOf({ error, result }: z.infer<typeof envelope>): Record<string, unknown> {
  const [first] = error;
  if (first !== undefined || !result) {
    const limiting = /rate limit|too many|throttle/i.test(first ?? "")
      ? { retryAfterMs: null }
      : null;
    const code = /^[A-Za-z]+:[A-Za-z ]{1,60}$/.exec(first ?? "")?.[0] ?? "an error";
    throw new SourceError(`answered ${code}`, limiting);
  }
  return result;
}

function resultFor(result: Record<string, unknown>, asset: PricedAsset): unknown {
  const { asked, answered } = pairs[asset];
  return result[answered] ?? result[asked];
}
