import { type EmbedName, embeds } from "#core/text/embeds.ts";

const symbols = [
  { symbol: "BITSTAMP:BTCUSD", title: "Bitcoin" },
  { symbol: "BITSTAMP:ETHUSD", title: "Ethereum" },
  { symbol: "BITSTAMP:XRPUSD", title: "XRP" },
  { symbol: "COINBASE:DOGEUSD", title: "Dogecoin" },
  { symbol: "COINBASE:SOLUSD", title: "Solana" },
];

const quotes = symbols.map(({ symbol, title }) => ({ proName: symbol, title }));

export type Scheme = "light" | "dark";

/**
 * What a widget is told, in the provider's own words. The market overview shows 12 months, light, 700 px high,
 * whatever the page around it looks like; the others follow the page.
 */
export function embedOptions(name: EmbedName, scheme: Scheme): Record<string, unknown> {
  return { ...own[name], colorTheme: name === "market-overview" ? "light" : scheme, locale: "en" };
}

const own: Record<EmbedName, Record<string, unknown>> = {
  "ticker-tape": {
    symbols: quotes,
    showSymbolLogo: true,
    isTransparent: false,
    displayMode: "compact",
  },
  tickers: { symbols: quotes, showSymbolLogo: true, isTransparent: false },
  "market-overview": {
    dateRange: "12M",
    width: "100%",
    height: embeds["market-overview"].heightPx,
    showChart: true,
    showSymbolLogo: true,
    showFloatingTooltip: true,
    isTransparent: false,
    largeChartUrl: "",
    tabs: [
      {
        title: "Cryptocurrencies",
        originalTitle: "Cryptocurrencies",
        symbols: symbols.map(({ symbol, title }) => ({ s: symbol, d: title })),
      },
    ],
  },
  timeline: {
    feedMode: "market",
    market: "crypto",
    displayMode: "regular",
    width: "100%",
    height: embeds.timeline.heightPx,
    isTransparent: false,
  },
};
