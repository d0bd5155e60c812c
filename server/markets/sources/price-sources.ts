import type { ExchangeName } from "../../platform/config.ts";
import { bitstamp } from "./bitstamp.ts";
import { coinbase } from "./coinbase.ts";
import { kraken } from "./kraken.ts";
import type { PriceSource } from "./source.ts";

/** The languages of the exchanges that the configuration may name. */
export const priceSources: Record<ExchangeName, PriceSource> = { kraken, coinbase, bitstamp };
