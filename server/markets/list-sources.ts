import { desc, gte, isNull, or } from "#server/platform/sql.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { candlesOf } from "./candles/repair-candles.ts";
import { networkSource } from "./poll-network.ts";
import { troubleNow } from "./price.ts";
import { marketAssets, marketDrops, marketSources } from "./schema.ts";
import type { SourceRecord } from "./source-state.ts";

/** A source as it is configured, with what is known of it. */
export interface ListedSource {
  source: string;
  gives: "prices" | "daily candles" | "network figures";
  /** The host that is asked. */
  host: string;
  /** Null: it was never asked yet. */
  record: SourceRecord | null;
}

/** Every source that the configuration names, in its order. */
export async function listSources(
  db: Db,
  config: Pick<Config, "prices" | "bitcoinNetworkUrl">,
): Promise<ListedSource[]> {
  const known = new Map((await db.select().from(marketSources)).map((row) => [row.source, row]));
  const { sources } = config.prices;
  const listed = (source: string, gives: ListedSource["gives"], url: string): ListedSource => ({
    source,
    gives,
    host: new URL(url).host,
    record: known.get(source) ?? null,
  });
  return [
    ...sources.map(({ name, url }) => listed(name, "prices", url)),
    ...sources.map(({ name, url }) => listed(candlesOf(name), "daily candles", url)),
    ...(config.bitcoinNetworkUrl
      ? [listed(networkSource, "network figures", config.bitcoinNetworkUrl)]
      : []),
  ];
}

/** Quotes that are left out at present, and those that were in the last week; the newest first. */
export async function listDrops(db: Db, now: Date, limit = 50) {
  const d = marketDrops;
  const weekAgo = new Date(now.getTime() - 7 * 86_400_000);
  return db
    .select()
    .from(d)
    .where(or(isNull(d.endedAt), gte(d.endedAt, weekAgo)))
    .orderBy(desc(d.startedAt), desc(d.id))
    .limit(limit);
}
export type ListedDrop = Awaited<ReturnType<typeof listDrops>>[number];

/** How the last round of questions went, per asset, or that nobody has asked for long. */
export async function listAskedAssets(db: Db, now: Date) {
  const rounds = await db.select().from(marketAssets);
  return rounds.map((round) => ({ ...round, trouble: troubleNow(round, now) }));
}
export type AskedAsset = Awaited<ReturnType<typeof listAskedAssets>>[number];
