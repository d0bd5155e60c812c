import { type Coin, coins } from "#core/asset.ts";
import {
  type BusinessRow,
  type Figure,
  figures,
  type Sum,
} from "#core/markets/business-figures.ts";
import { toDecimal } from "#core/money.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { toCsv } from "#server/platform/to-csv.ts";
import { type BusinessPeriod, readBusiness } from "./read-business.ts";

/** Takes the figures of a period away as CSV, the same that the page shows, and writes down that this was done. */
export async function exportBusiness(
  db: Db,
  operator: ActingOperator,
  period: BusinessPeriod,
  now: Date,
): Promise<string> {
  const { rows } = await readBusiness(db, period, now);
  const exported = {
    act: "business/export" as const,
    subject: "business",
    detail: { ...period },
    now,
  };
  return actAsOperator(db, operator, exported, async () => toCsv(columns, rows.map(asCells)));
}

const names: Record<Figure, string> = {
  sold: "sold less refunds",
  earned: "earned",
  maintenance: "maintenance",
  inactivity: "inactivity fees",
  withdrawalFees: "withdrawal fees",
  ownShare: "own share of mining",
  networkFees: "network fees paid",
};

const columnsOf = (name: string) => [...coins, "USD"].map((unit) => `${name} ${unit}`);

const columns = [
  "period (UTC)",
  "goes on",
  "booked since",
  ...figures.flatMap((figure) => columnsOf(names[figure])),
  ...columnsOf("prepaid at the end"),
  "paid by pools BTC",
  "paid by pools USD",
  "energy kWh",
  "energy USD",
  "an energy price is missing",
  "left of finished days USD",
  "entries were taken out",
];

function asCells(row: BusinessRow): string[] {
  return [
    row.period,
    row.goesOn ? "yes" : "",
    row.since ?? "",
    ...figures.flatMap((figure) => sumCells(row.booked[figure])),
    ...(row.prepaid ? sumCells(row.prepaid) : ["", "", "", ""]),
    toDecimal(row.poolsPaid.coins.BTC, "BTC"),
    usd(row.poolsPaid.usdMicros),
    (Number(row.energy.wattHours) / 1000).toFixed(3),
    usd(row.energy.usdMicros),
    row.energy.lacksPrice ? "yes" : "",
    row.leftUsdMicros === "later" ? "" : usd(row.leftUsdMicros),
    row.isTakenOut ? "yes" : "",
  ];
}

function sumCells(sum: Sum): string[] {
  return [...coins.map((coin: Coin) => toDecimal(sum.coins[coin], coin)), usd(sum.usdMicros)];
}

/** Millionths of a dollar with all six places; empty where a price is missing. */
function usd(micros: bigint | null): string {
  if (micros === null) return "";
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  return `${micros < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
