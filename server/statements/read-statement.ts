import { createHash } from "node:crypto";
import { type Coin, coins } from "#core/asset.ts";
import type { StatementPeriod } from "#core/payments/statement-period.ts";
import { Refusal } from "#core/refusal.ts";
import { addDays, startOfDay } from "#core/utc-day.ts";
import {
  getRow,
  oneOf,
  orNull,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import { listStatement } from "../ledger/list-statement.ts";
import type { TransferKind } from "../ledger/transfer.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { StatementEntry } from "./entry.ts";
import { valueLines } from "./value-lines.ts";

const batchSize = 1000;

/** What a customer owned of each coin, both accounts together. */
type CoinUnits = Record<Coin, bigint>;

export interface OpenStatement {
  opening: CoinUnits;
  /** Oldest first, each with what was owned of its coin after it: the opening balance and all entries up to it. */
  entries: AsyncGenerator<StatementEntry>;
}

/**
 * The first day with which a customer's statement can begin, where older months of theirs were taken out of the ledger; else null.
 */
export async function findFirstStatementDay(
  db: Db | Tx,
  customerId: string,
): Promise<string | null> {
  const first = sql`
    select greatest(min(month) filter (where detached_at is null), (max(newest_at) at time zone 'UTC')::date + 1)::text as day from months
     where parent = 'ledger_transfers' and exists (select from ledger_openings where owner_id = ${customerId})`;
  return (await getRow(db, first, { day: orNull(text) })).day;
}

/**
 * Opens a customer's statement over some UTC days, or over everything that is here: it is read while it is written out.
 *
 * @throws Refusal `statements/taken-out`: the period begins with months that were taken out of the ledger
 */
export async function openStatement(
  db: Db | Tx,
  customerId: string,
  period: Pick<StatementPeriod, "fromDay" | "throughDay"> | null,
): Promise<OpenStatement> {
  const from = period ? startOfDay(period.fromDay) : undefined;
  const until = period ? startOfDay(addDays(period.throughDay, 1)) : undefined;
  const firstDay = await findFirstStatementDay(db, customerId);
  if (period && firstDay && period.fromDay < firstDay) throw new Refusal("statements/taken-out");
  const opening = await sumBefore(db, customerId, from);
  return { opening, entries: readEntries(db, customerId, { from, until, opening }) };
}

async function sumBefore(
  db: Db | Tx,
  customerId: string,
  from: Date | undefined,
): Promise<CoinUnits> {
  const sums: CoinUnits = { BTC: 0n, ETH: 0n, USDT: 0n };
  const rows = await readRows(
    db,
    sql`
    select asset, sum(units) as sum from (
      select e.asset, e.units
        from ledger_entries e join ledger_transfers t on t.number = e.transfer_number
       where e.owner_id = ${customerId} and e.account in ('available', 'held')
         and t.occurred_at < ${from?.toISOString() ?? "-infinity"}::timestamptz
      union all
      select asset, balance from ledger_openings where owner_id = ${customerId}) each
     group by asset`,
    { asset: oneOf(coins), sum: units },
  );
  for (const { asset, sum } of rows) sums[asset] = sum;
  return sums;
}

interface Span {
  from: Date | undefined;
  until: Date | undefined;
  opening: CoinUnits;
}

async function* readEntries(
  db: Db | Tx,
  customerId: string,
  { from, until, opening }: Span,
): AsyncGenerator<StatementEntry> {
  const owned = { ...opening };
  const legs: StatementEntry[] = [];
  let after: string | null = null;
  do {
    const page = await listStatement(db, customerId, {
      from,
      until,
      limit: batchSize,
      oldestFirst: true,
      after: after ?? undefined,
    });
    for (const entry of await valueLines(db, customerId, page.lines)) {
      if (legs[0] && legs[0].transferId !== entry.transferId)
        yield* withBalances(legs.splice(0), owned);
      legs.push(entry);
    }
    after = page.after;
  } while (after !== null);
  yield* withBalances(legs, owned);
}

/** The legs of one transfer happen together: each has what was owned after all of them. */
function withBalances(legs: StatementEntry[], owned: CoinUnits): StatementEntry[] {
  for (const { asset, units } of legs) owned[asset] += units;
  return legs.map((leg) => ({ ...leg, coinBalanceAfter: owned[leg.asset] }));
}

export interface CoinTotals {
  openingUnits: bigint;
  inUnits: bigint;
  /** What left, not below zero. */
  outUnits: bigint;
  closingUnits: bigint;
}

export interface KindTotals {
  kind: TransferKind;
  asset: Coin;
  transfers: number;
  /** Signed. */
  units: bigint;
  /** Of those that have a value. */
  usdCents: bigint;
  withoutValue: number;
}

export interface StatementTotals {
  coins: Record<Coin, CoinTotals>;
  /** What moved between available and held alone is no sum of anything, and not here. */
  kinds: KindTotals[];
  entries: number;
  /** SHA-256 over the opening balances and every entry, in hexadecimal. */
  sha256: string;
}

/** Adds a statement up while it is read: `add` each entry in turn, then ask for the `totals`. */
export function tallyStatement(opening: CoinUnits): {
  add(entry: StatementEntry): void;
  totals(): StatementTotals;
} {
  const hash = createHash("sha256").update("assay statement 1\n");
  for (const coin of coins) hash.update(`${coin} ${opening[coin]}\n`);
  const zero = (openingUnits: bigint) => {
    return { openingUnits, inUnits: 0n, outUnits: 0n, closingUnits: openingUnits };
  };
  const ofCoin: Record<Coin, CoinTotals> = {
    BTC: zero(opening.BTC),
    ETH: zero(opening.ETH),
    USDT: zero(opening.USDT),
  };
  const ofKind = new Map<string, KindTotals>();
  let entries = 0;
  /** The legs of one transfer in one coin stand together. */
  let current: { entry: StatementEntry; units: bigint; usdCents: bigint } | null = null;

  const close = () => {
    if (!current || current.units === 0n) return;
    const { entry, units, usdCents } = current;
    const { kind, asset, value } = entry;
    const coin = ofCoin[asset];
    if (units > 0n) coin.inUnits += units;
    else coin.outUnits -= units;
    coin.closingUnits += units;
    const none = { kind, asset, transfers: 0, units: 0n, usdCents: 0n, withoutValue: 0 };
    const sum = ofKind.get(`${kind} ${asset}`) ?? none;
    sum.transfers += 1;
    sum.units += units;
    sum.usdCents += usdCents;
    if (!value) sum.withoutValue += 1;
    ofKind.set(`${kind} ${asset}`, sum);
  };

  return {
    add(entry) {
      entries += 1;
      const { transferId, account, asset, units, value } = entry;
      hash.update(`${transferId} ${account} ${asset} ${units} ${value?.usdCents ?? ""}\n`);
      const usdCents = value?.usdCents ?? 0n;
      if (current?.entry.transferId === transferId && current.entry.asset === asset) {
        current.units += units;
        current.usdCents += usdCents;
        return;
      }
      close();
      current = { entry, units, usdCents };
    },
    totals() {
      close();
      current = null;
      const kinds = [...ofKind.values()].sort((a, b) =>
        `${a.asset} ${a.kind}` < `${b.asset} ${b.kind}` ? -1 : 1,
      );
      return { coins: ofCoin, kinds, entries, sha256: hash.digest("hex") };
    },
  };
}
