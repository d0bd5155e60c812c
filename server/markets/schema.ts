import type { PricedAsset, RoundTrouble } from "#core/price.ts";
import {
  bigint,
  boolean,
  date,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "#server/platform/tables.ts";
import { time } from "../platform/columns.ts";
import type { DropReason, SourceState, Verdict } from "./price.ts";

const wide = (name: string) => numeric(name, { precision: 40, scale: 0, mode: "bigint" });
const rate = (name: string) => numeric(name, { precision: 12, scale: 3, mode: "number" });

/** `recorded_at` is left out: the database alone writes it. */
export const marketPrices = pgTable("market_prices", {
  id: uuid().primaryKey(),
  asset: text().$type<PricedAsset>().notNull(),
  usdE8: wide("usd_e8").notNull(),
  usdE8DayBefore: wide("usd_e8_day_before"),
  observedAt: time("observed_at").notNull(),
  agreed: smallint().notNull(),
  simulated: boolean().notNull(),
});

export const marketQuotes = pgTable(
  "market_quotes",
  {
    priceId: uuid("price_id")
      .notNull()
      .references(() => marketPrices.id),
    source: text().notNull(),
    /** Who was asked, whatever the configuration calls it. */
    host: text().notNull(),
    usdE8: wide("usd_e8").notNull(),
    quotedAt: time("quoted_at").notNull(),
    verdict: text().$type<Verdict>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.priceId, t.source] })],
);

export const marketAssets = pgTable("market_assets", {
  asset: text().$type<PricedAsset>().primaryKey(),
  askedAt: time("asked_at").notNull(),
  answered: smallint().notNull(),
  agreed: smallint().notNull(),
  trouble: text().$type<RoundTrouble>(),
  since: time("since").notNull(),
});

export const marketSources = pgTable("market_sources", {
  source: text().primaryKey(),
  state: text().$type<SourceState>().notNull(),
  since: time("since").notNull(),
  lastAskedAt: time("last_asked_at").notNull(),
  lastAnswerAt: time("last_answer_at"),
  lastError: text("last_error"),
  lastErrorAt: time("last_error_at"),
  failures: integer().notNull().default(0),
  askAgainAt: time("ask_again_at"),
});

export const marketDrops = pgTable("market_drops", {
  id: uuid().primaryKey(),
  source: text().notNull(),
  asset: text().$type<PricedAsset>().notNull(),
  reason: text().$type<DropReason>().notNull(),
  usdE8: wide("usd_e8"),
  medianUsdE8: wide("median_usd_e8"),
  quotedAt: time("quoted_at"),
  startedAt: time("started_at").notNull(),
  endedAt: time("ended_at"),
});

export const marketCandles = pgTable(
  "market_candles",
  {
    asset: text().$type<PricedAsset>().notNull(),
    day: date().notNull(),
    openUsdE8: wide("open_usd_e8").notNull(),
    highUsdE8: wide("high_usd_e8").notNull(),
    lowUsdE8: wide("low_usd_e8").notNull(),
    closeUsdE8: wide("close_usd_e8").notNull(),
    sources: text().array().notNull(),
    isFinal: boolean("is_final").notNull(),
    simulated: boolean().notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.asset, t.day] })],
);

/** `recorded_at` is left out: the database alone writes it. */
export const networkFigures = pgTable("network_figures", {
  observedAt: time("observed_at").primaryKey(),
  host: text().notNull(),
  simulated: boolean().notNull(),
  height: integer().notNull(),
  difficulty: wide("difficulty").notNull(),
  hashrateHs: wide("hashrate_hs").notNull(),
  subsidySats: bigint("subsidy_sats", { mode: "bigint" }).notNull(),
  feesPerBlockSats: bigint("fees_per_block_sats", { mode: "bigint" }).notNull(),
  fastestFeeSatPerVb: rate("fastest_fee_sat_per_vb").notNull(),
  halfHourFeeSatPerVb: rate("half_hour_fee_sat_per_vb").notNull(),
  hourFeeSatPerVb: rate("hour_fee_sat_per_vb").notNull(),
});
