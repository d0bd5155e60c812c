// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { bigint, boolean, date, integer, numeric, pgTable, smallint, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";
import { time } from "#server/platform/columns.ts";

export const marketPrices = pgTable("market_prices", {
  id: uuid("id").notNull(),
  observedAt: time("observed_at").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "XRP" | "DOGE" | "SOL" | "USDT">().notNull(),
  usdE8: numeric("usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  usdE8DayBefore: numeric("usd_e8_day_before", { precision: 30, scale: 0, mode: "bigint" }),
  agreed: smallint("agreed").notNull(),
  simulated: boolean("simulated").notNull(),
  pinned: boolean("pinned").notNull().generatedAlwaysAs(sql``),
  recordedAt: time("recorded_at").notNull().generatedAlwaysAs(sql``),
});

export const marketQuotes = pgTable("market_quotes", {
  priceId: uuid("price_id").notNull(),
  source: text("source").notNull(),
  host: text("host").notNull(),
  usdE8: numeric("usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  quotedAt: time("quoted_at").notNull(),
  verdict: text("verdict").$type<"agreed" | "outlier" | "stale">().notNull(),
});

export const marketAssets = pgTable("market_assets", {
  asset: text("asset").$type<"BTC" | "ETH" | "XRP" | "DOGE" | "SOL" | "USDT">().notNull(),
  askedAt: time("asked_at").notNull(),
  answered: smallint("answered").notNull(),
  agreed: smallint("agreed").notNull(),
  trouble: text("trouble").$type<"too-few-sources" | "sources-disagree">(),
  since: time("since").notNull(),
});

export const marketSources = pgTable("market_sources", {
  source: text("source").notNull(),
  state: text("state").$type<"answering" | "failing" | "limiting">().notNull(),
  since: time("since").notNull(),
  lastAskedAt: time("last_asked_at").notNull(),
  lastAnswerAt: time("last_answer_at"),
  lastError: text("last_error"),
  lastErrorAt: time("last_error_at"),
  failures: integer("failures").notNull().default(sql`default`),
  askAgainAt: time("ask_again_at"),
});

export const marketDrops = pgTable("market_drops", {
  id: uuid("id").notNull(),
  source: text("source").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "XRP" | "DOGE" | "SOL" | "USDT">().notNull(),
  reason: text("reason").$type<"outlier" | "stale" | "unreadable">().notNull(),
  usdE8: numeric("usd_e8", { precision: 30, scale: 0, mode: "bigint" }),
  medianUsdE8: numeric("median_usd_e8", { precision: 30, scale: 0, mode: "bigint" }),
  quotedAt: time("quoted_at"),
  startedAt: time("started_at").notNull(),
  endedAt: time("ended_at"),
});

export const marketRounds = pgTable("market_rounds", {
  topic: text("topic").notNull(),
  begunAt: time("begun_at").notNull(),
});

export const marketCandles = pgTable("market_candles", {
  asset: text("asset").$type<"BTC" | "ETH" | "XRP" | "DOGE" | "SOL" | "USDT">().notNull(),
  day: date("day").notNull(),
  openUsdE8: numeric("open_usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  highUsdE8: numeric("high_usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  lowUsdE8: numeric("low_usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  closeUsdE8: numeric("close_usd_e8", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  sources: text("sources").array().notNull(),
  isFinal: boolean("is_final").notNull(),
  simulated: boolean("simulated").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const networkFigures = pgTable("network_figures", {
  observedAt: time("observed_at").notNull(),
  recordedAt: time("recorded_at").notNull().generatedAlwaysAs(sql``),
  host: text("host").notNull(),
  simulated: boolean("simulated").notNull(),
  height: integer("height").notNull(),
  difficulty: numeric("difficulty", { precision: 40, scale: 0, mode: "bigint" }).notNull(),
  hashrateHs: numeric("hashrate_hs", { precision: 40, scale: 0, mode: "bigint" }).notNull(),
  subsidySats: bigint("subsidy_sats", { mode: "bigint" }).notNull(),
  feesPerBlockSats: bigint("fees_per_block_sats", { mode: "bigint" }).notNull(),
  fastestFeeSatPerVb: numeric("fastest_fee_sat_per_vb", { precision: 12, scale: 3, mode: "number" }).notNull(),
  halfHourFeeSatPerVb: numeric("half_hour_fee_sat_per_vb", { precision: 12, scale: 3, mode: "number" }).notNull(),
  hourFeeSatPerVb: numeric("hour_fee_sat_per_vb", { precision: 12, scale: 3, mode: "number" }).notNull(),
});
