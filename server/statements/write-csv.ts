import { toDecimal } from "#core/money.ts";
import { toUsd } from "#core/price.ts";
import { byteOrderMark, csvLine } from "../platform/to-csv.ts";
import type { StatementEntry } from "./entry.ts";
import type { OpenStatement } from "./read-statement.ts";

const columns = [
  "utc_date",
  "utc_time",
  "kind",
  "coin",
  "account",
  "amount",
  "coin_balance_after",
  "usd_value",
  "usd_price",
  "price_basis",
  "price_utc",
  "price_sources",
  "memo",
  "document",
  "transfer_id",
];

/**
 * Writes a statement as CSV while it is read: one row per entry, oldest first, and nothing else, so that a column can be
 * summed. Amounts are plain decimals with a point, signed; times are UTC.
 */
export async function* writeCsv({
  entries,
}: Pick<OpenStatement, "entries">): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  for await (const entry of entries) yield csvLine(cellsOf(entry));
}

function cellsOf(entry: StatementEntry): string[] {
  const { occurredAt, kind, asset, account, units, coinBalanceAfter, value, memo, source } = entry;
  const at = occurredAt.toISOString();
  return [
    at.slice(0, 10),
    at.slice(11, 19),
    kind,
    asset,
    account,
    toDecimal(units, asset),
    toDecimal(coinBalanceAfter, asset),
    value ? toDecimal(value.usdCents, "USD") : "",
    value ? toUsd(value.usdE8) : "",
    value?.basis ?? "",
    value?.observedAt.toISOString() ?? "",
    value ? pricedBy(value) : "",
    memo,
    source,
    entry.transferId,
  ];
}

/** Who stands behind a price: "coinbase kraken". */
export function pricedBy({ sources, simulated }: NonNullable<StatementEntry["value"]>): string {
  return [...sources, ...(simulated ? ["(simulated)"] : [])].join(" ");
}
