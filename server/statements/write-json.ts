import { type Coin, coins } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import type { StatementPeriod } from "#core/payments/statement-period.ts";
import { toUsd } from "#core/price.ts";
import type { StatementEntry } from "./entry.ts";
import { type OpenStatement, type StatementTotals, tallyStatement } from "./read-statement.ts";
import { pricedBy } from "./write-csv.ts";

interface About {
  siteName: string;
  customerId: string;
  /** Null: everything. */
  period: StatementPeriod | null;
  madeAt: Date;
}

/**
 * Writes a statement as JSON while it is read, oldest entry first, with what it adds up to at the end. Amounts are exact
 * decimal strings; times are UTC.
 */
export async function* writeJson(
  { opening, entries }: OpenStatement,
  { siteName, customerId, period, madeAt }: About,
): AsyncGenerator<string> {
  const tally = tallyStatement(opening);
  const head = {
    site: siteName,
    account: customerId,
    madeAt,
    from: period?.fromDay ?? null,
    through: period?.throughDay ?? null,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = "\n";
  for await (const entry of entries) {
    tally.add(entry);
    yield `${separator}${JSON.stringify(toRecord(entry))}`;
    separator = ",\n";
  }
  yield `\n],${JSON.stringify(totalsRecord(tally.totals())).slice(1)}\n`;
}

function toRecord(entry: StatementEntry) {
  const { asset, value, transferId, kind, account, occurredAt, memo, source } = entry;
  return {
    transferId,
    kind,
    occurredAt,
    coin: asset,
    account,
    amount: toDecimal(entry.units, asset),
    coinBalanceAfter: toDecimal(entry.coinBalanceAfter, asset),
    usd: value && {
      value: toDecimal(value.usdCents, "USD"),
      price: toUsd(value.usdE8),
      basis: value.basis,
      priceAt: value.observedAt,
      sources: pricedBy(value),
    },
    memo,
    document: source,
  };
}

function totalsRecord({ coins: sums, kinds, entries, sha256 }: StatementTotals) {
  const decimals = (coin: Coin) => ({
    opening: toDecimal(sums[coin].openingUnits, coin),
    in: toDecimal(sums[coin].inUnits, coin),
    out: toDecimal(sums[coin].outUnits, coin),
    closing: toDecimal(sums[coin].closingUnits, coin),
  });
  return {
    coins: Object.fromEntries(coins.map((coin) => [coin, decimals(coin)])),
    totals: kinds.map(({ kind, asset, transfers, units, usdCents, withoutValue }) => ({
      kind,
      coin: asset,
      transfers,
      amount: toDecimal(units, asset),
      usdValue: toDecimal(usdCents, "USD"),
      transfersWithoutValue: withoutValue,
    })),
    entryCount: entries,
    sha256,
  };
}
