import { type Coin, coins, decimals } from "#core/asset.ts";
import {
  addSums,
  type BusinessRow,
  type Figure,
  figures,
  leftOf,
  noSum,
  type Sum,
} from "#core/markets/business-figures.ts";
import { addMonths, isMonth, lastDayOf } from "#core/months.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { type EnergyDay, listEnergyUse } from "#server/fleet/list-energy-use.ts";
import { type HouseAccount, onItsSide } from "#server/ledger/account.ts";
import { findLedgerBegin } from "#server/ledger/find-ledger-begin.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import { listClosingPrices } from "#server/markets/list-closing-prices.ts";
import { listOperatorShares } from "#server/mining/days/list-operator-shares.ts";
import { listPaidByPools } from "#server/payouts/list-paid-by-pools.ts";
import type { Db } from "#server/platform/database.ts";
import { type HouseDay, listHouseDays } from "#server/reconciliation/list-house-days.ts";

/** The days of a month, or the months of a year. */
export type BusinessPeriod = { by: "day"; month: string } | { by: "month"; year: string };

/** What a pool paid for the days of the whole period. */
export interface PoolShare {
  poolId: string;
  pool: string;
  paid: Sum;
}

export interface Business {
  /** Oldest first. Days and months that are to come are missing. */
  rows: BusinessRow[];
  /** All of them together. */
  total: BusinessRow;
  pools: PoolShare[];
}

/**
 * What came in and went out, for each day of a month or each month of a year. It is read from rows of days and never from
 * single transfers, so it costs the same whatever the number of customers: at most 366 rows of each kind.
 */
export async function readBusiness(db: Db, period: BusinessPeriod, now: Date): Promise<Business> {
  const today = utcDay(now);
  const yesterday = addDays(today, -1);
  const range = rangeOf(period, today);
  const [noted, house, begin, shares, paid, energy, prices] = await Promise.all([
    listHouseDays(db, range),
    range.until === today ? listHouseBalances(db) : null,
    findLedgerBegin(db),
    listOperatorShares(db, range),
    listPaidByPools(db, range),
    listEnergyUse(db, { from: range.from, until: range.until < today ? range.until : yesterday }),
    listClosingPrices(db, range),
  ]);
  const worth = worthOf(prices);
  const known = house ? [...noted, asHouseDay(house, today)] : noted;
  const days = emptyDays(range, { today, takenOutBefore: monthOf(begin) });
  for (const [index, day] of known.entries()) book(days.get(day.day), known[index - 1], day, worth);
  for (const { postedOn, sats, days: credited } of shares) {
    const row = days.get(postedOn);
    if (!row) continue;
    row.booked.ownShare = worth(postedOn, { BTC: sats, ETH: 0n, USDT: 0n });
    row.credited = [...new Set(credited)];
  }
  const pools = new Map<string, PoolShare>();
  for (const { day, poolId, pool, sats } of paid) {
    const sum = worth(day, { BTC: sats, ETH: 0n, USDT: 0n });
    const before = pools.get(poolId)?.paid ?? noSum();
    pools.set(poolId, { poolId, pool, paid: addSums(before, sum) });
    const row = days.get(day);
    if (row) row.poolsPaid = addSums(row.poolsPaid, sum);
  }
  for (const each of energy) addEnergy(days.get(each.day), each);
  const rows = group(withLeft([...days.values()], today), period.by);
  return {
    rows,
    total: rows.reduce(join, emptyRow("total")),
    pools: [...pools.values()].sort((a, b) => Number(b.paid.coins.BTC - a.paid.coins.BTC)),
  };
}

interface Range {
  from: string;
  until: string;
}

/** The first day of the period and its last, or today where it goes on. */
export function rangeOf(period: BusinessPeriod, today: string): Range {
  const [first, last] =
    period.by === "day" ? [period.month, period.month] : [`${period.year}-01`, `${period.year}-12`];
  const end = lastDayOf(last);
  return { from: `${first}-01`, until: end < today ? end : today };
}

function emptyRow(period: string): BusinessRow {
  const booked = Object.fromEntries(figures.map((figure) => [figure, noSum()]));
  return {
    period,
    since: null,
    goesOn: false,
    booked: booked as Record<Figure, Sum>,
    prepaid: null,
    credited: [],
    poolsPaid: noSum(),
    energy: { wattHours: 0n, usdMicros: 0n, lacksPrice: false },
    leftUsdMicros: "later",
    isTakenOut: false,
  };
}

function emptyDays(
  { from, until }: Range,
  { today, takenOutBefore }: { today: string; takenOutBefore: string },
): Map<string, BusinessRow> {
  const days = new Map<string, BusinessRow>();
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const isTakenOut = day < takenOutBefore;
    days.set(day, { ...emptyRow(day), goesOn: day === today, isTakenOut });
  }
  return days;
}

/** Transfers are numbered by month: 202611 0000000000. */
function monthOf(begin: bigint): string {
  const digits = begin.toString();
  const month = `${digits.slice(0, 4)}-${digits.slice(4, 6)}`;
  return begin > 0n && isMonth(month) ? month : "";
}

function asHouseDay(house: Awaited<ReturnType<typeof listHouseBalances>>, day: string): HouseDay {
  const accounts: HouseDay["accounts"] = { BTC: {}, ETH: {}, USDT: {} };
  for (const { account, asset, units } of house) {
    accounts[asset][account] = onItsSide(account, units);
  }
  return { day, accounts };
}

type Worth = (day: string, units: Record<Coin, bigint>) => Sum;

/** Values coins at the last price of a day. What is nothing is worth nothing, whatever the price. */
function worthOf(prices: Awaited<ReturnType<typeof listClosingPrices>>): Worth {
  const known = new Map(prices.map(({ day, coin, usdE8 }) => [`${day} ${coin}`, usdE8]));
  return (day, units) => {
    let usdMicros: bigint | null = 0n;
    for (const coin of coins) {
      const price = known.get(`${day} ${coin}`);
      if (units[coin] === 0n || usdMicros === null) continue;
      usdMicros =
        price === undefined
          ? null
          : usdMicros + (units[coin] * price) / 10n ** BigInt(decimals[coin] + 2);
    }
    return { coins: units, usdMicros };
  };
}

/** What moved the house's accounts from one note of them to the next. */
function book(
  row: BusinessRow | undefined,
  before: HouseDay | undefined,
  after: HouseDay,
  worth: Worth,
): void {
  if (!row) return;
  const { day } = after;
  const of = (units: (coin: Coin) => bigint) =>
    worth(day, { BTC: units("BTC"), ETH: units("ETH"), USDT: units("USDT") });
  const credit = (noted: HouseDay | undefined, account: HouseAccount, coin: Coin) =>
    noted?.accounts[coin][account] ?? 0n;
  const moved = (account: HouseAccount, coin: Coin) =>
    credit(after, account, coin) - credit(before, account, coin);
  const each = (account: HouseAccount) => of((coin) => moved(account, coin));
  row.booked.sold = of((coin) => moved("contract_prepaid", coin) + moved("contract_revenue", coin));
  row.booked.earned = each("contract_revenue");
  row.booked.maintenance = each("maintenance_revenue");
  row.booked.inactivity = each("inactivity_revenue");
  row.booked.withdrawalFees = each("withdrawal_fee_revenue");
  row.booked.networkFees = of((coin) => -moved("network_fee_expense", coin));
  row.prepaid = of((coin) => credit(after, "contract_prepaid", coin));
  if (before && addDays(before.day, 1) !== day) row.since = addDays(before.day, 1);
}

function addEnergy(row: BusinessRow | undefined, { wattHours, usdMicros, lacksPrice }: EnergyDay) {
  if (row) row.energy = { wattHours, usdMicros, lacksPrice };
}

/** Of a day that goes on the energy is not counted, and of one that nobody has noted the income stands on the day that goes on. */
function withLeft(days: BusinessRow[], today: string): BusinessRow[] {
  const since = days.find(({ period }) => period === today)?.since ?? today;
  const openFrom = since < today ? since : today;
  return days.map((row) => ({
    ...row,
    leftUsdMicros: row.period < openFrom ? leftOf(row) : "later",
  }));
}

function group(days: BusinessRow[], by: "day" | "month"): BusinessRow[] {
  if (by === "day") return days;
  const months = new Map<string, BusinessRow>();
  for (const day of days) {
    const month = day.period.slice(0, 7);
    months.set(month, join(months.get(month) ?? emptyRow(month), day));
  }
  return [...months.values()];
}

/** Two that follow each other, as one. */
function join(a: BusinessRow, b: BusinessRow): BusinessRow {
  const booked = figures.map((figure) => [figure, addSums(a.booked[figure], b.booked[figure])]);
  return {
    ...a,
    since: a.since ?? b.since,
    goesOn: a.goesOn || b.goesOn,
    booked: Object.fromEntries(booked),
    prepaid: b.prepaid ?? a.prepaid,
    credited: [...a.credited, ...b.credited],
    poolsPaid: addSums(a.poolsPaid, b.poolsPaid),
    energy: {
      wattHours: a.energy.wattHours + b.energy.wattHours,
      usdMicros: a.energy.usdMicros + b.energy.usdMicros,
      lacksPrice: a.energy.lacksPrice || b.energy.lacksPrice,
    },
    leftUsdMicros: addLeft(a.leftUsdMicros, b.leftUsdMicros),
    isTakenOut: a.isTakenOut || b.isTakenOut,
  };
}

function addLeft(a: BusinessRow["leftUsdMicros"], b: BusinessRow["leftUsdMicros"]) {
  if (a === "later") return b;
  if (b === "later") return a;
  return a === null || b === null ? null : a + b;
}

/** The period before and after, for the links of a page. */
export function besides(period: BusinessPeriod): { before: string; after: string } {
  if (period.by === "day") {
    return { before: addMonths(period.month, -1), after: addMonths(period.month, 1) };
  }
  const year = Number(period.year);
  return { before: String(year - 1), after: String(year + 1) };
}
