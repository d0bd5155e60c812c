import { setImmediate as letOthersRun } from "node:timers/promises";
import { type Coin, coins } from "#core/asset.ts";
import { formatAmount, formatUsd } from "#core/money.ts";
import { periodWords } from "#core/payments/statement-period.ts";
import type { TransferKind } from "../ledger/transfer.ts";
import { ink, openPdf } from "../platform/pdf/open-pdf.ts";
import {
  drawable,
  drawableName,
  utcWords,
  writeHead,
  writeSection,
  writeSectionName,
} from "../platform/pdf/pdf-parts.ts";
import type { StatementEntry } from "./entry.ts";
import type { IssuedStatement } from "./issue-statement.ts";
import type { KindTotals } from "./read-statement.ts";

interface Parties {
  siteName: string;
  appUrl: string;
  /** Who stands behind the site; null: nobody is named. */
  operator: string | null;
  customer: { id: string; firstName: string; lastName: string; email: string };
  /** What each kind of transfer is called. */
  kindWords: Record<TransferKind, string>;
}

/**
 * A statement on paper: what was owned before and after, what it is made of, the entries, and the code by which anybody
 * can check its figures. The same byte for byte whenever the same statement is printed.
 */
export async function writeStatementPdf(
  statement: IssuedStatement,
  parties: Parties,
): Promise<Buffer> {
  const { siteName, appUrl, operator, customer, kindWords } = parties;
  const { period, totals, code, issuedAt, entries } = statement;
  const { doc, finish } = openPdf({
    title: `Statement ${period.fromDay} to ${period.throughDay}`,
    author: siteName,
    at: issuedAt,
    margin: 44,
  });
  writeHead(doc, { siteName, title: "Statement of account", words: periodWords(period) });
  writeSection(doc, "About", [
    ["Account of", drawableName(customer)],
    ["Account's number", customer.id],
    ["Kept by", operator ?? `the operator of ${appUrl}`],
    ["UTC days", `${period.fromDay} to ${period.throughDay}, both included`],
    ["Issued", utcWords(issuedAt)],
    ["Check it at", `${appUrl}/verify-statement`],
    ["Code", spaced(code)],
    ["SHA-256 of the entries", totals.sha256],
  ]);
  writeSectionName(doc, "Balances");
  writeTable(
    doc,
    balanceColumns,
    coins.map((coin) => balanceCells(coin, totals.coins[coin])),
  );
  writeSectionName(doc, "What moved");
  writeTable(
    doc,
    kindColumns,
    totals.kinds.map(({ kind, asset, transfers, units, usdCents, withoutValue }) => [
      kindWords[kind],
      String(transfers),
      amount(units, asset),
      valueInWords({ transfers, usdCents, withoutValue }),
    ]),
  );
  writeSectionName(doc, "Entries");
  writeNote(
    doc,
    "Times are UTC. An amount's dollars are its value when it happened, rounded to a cent, at a price that several exchanges agreed on and that is stored: of mining that of the mining day, of a contract that of its quote, of a deposit and a requested withdrawal their own, else the first of its ten minutes or of the ten before, or the close of the day where none was. The balance is of the coin, what is held included.",
  );
  const cells = (entry: StatementEntry) => entryCells(entry, kindWords);
  for (let first = 0; first < entries.length; first += rowsAtOnce) {
    const part = entries.slice(first, first + rowsAtOnce).map(cells);
    writeTable(doc, entryColumns, part, { headed: first === 0 });
    await letOthersRun();
  }
  if (totals.entries > entries.length) {
    writeNote(
      doc,
      `${totals.entries - entries.length} more entries are in the CSV and JSON files of this statement. The balances, the sums and the SHA-256 above are over all ${totals.entries}.`,
    );
  }
  return finish();
}

/** Printing is work for the processor: after so many rows whatever else waits is let in. */
const rowsAtOnce = 50;

/** Easier to type: "ABCDE FGHJK LMNPQ RSTUV". */
export function spaced(code: string): string {
  return code.replace(/.{5}(?=.)/g, "$& ");
}

interface Column {
  name: string;
  width: number;
  right?: boolean;
}

const balanceColumns: Column[] = [
  { name: "Coin", width: 47 },
  { name: "Before", width: 115, right: true },
  { name: "In", width: 115, right: true },
  { name: "Out", width: 115, right: true },
  { name: "After", width: 115, right: true },
];
const kindColumns: Column[] = [
  { name: "Kind", width: 187 },
  { name: "Times", width: 50, right: true },
  { name: "Amount", width: 140, right: true },
  { name: "Value then", width: 130, right: true },
];
const entryColumns: Column[] = [
  { name: "Time (UTC)", width: 82 },
  { name: "What", width: 145 },
  { name: "Amount", width: 112, right: true },
  { name: "Value then", width: 62, right: true },
  { name: "Balance", width: 106, right: true },
];

function balanceCells(coin: Coin, sums: IssuedStatement["totals"]["coins"][Coin]): string[] {
  const { openingUnits, inUnits, outUnits, closingUnits } = sums;
  const figures = [openingUnits, inUnits, -outUnits, closingUnits];
  return [coin, ...figures.map((units) => formatAmount(units, coin))];
}

function entryCells(
  { occurredAt, kind, account, units, asset, value, coinBalanceAfter }: StatementEntry,
  kindWords: Record<TransferKind, string>,
): string[] {
  return [
    utcWords(occurredAt).slice(0, 19),
    `${kindWords[kind]}${account === "held" ? " (held)" : ""}`,
    amount(units, asset),
    value ? formatUsd(value.usdCents) : "no price",
    formatAmount(coinBalanceAfter, asset),
  ];
}

/** Nothing is worth $0.00 because nobody knows its price. */
export function valueInWords({
  transfers,
  usdCents,
  withoutValue,
}: Pick<KindTotals, "transfers" | "usdCents" | "withoutValue">): string {
  if (withoutValue === transfers) return "no price";
  return formatUsd(usdCents) + (withoutValue > 0 ? ` (${withoutValue} without a price)` : "");
}

function amount(units: bigint, coin: Coin): string {
  return `${formatAmount(units, coin)} ${coin}`;
}

const rowGap = 4;

/** Rows under their heads, which stand again on each page. */
function writeTable(
  doc: PDFKit.PDFDocument,
  columns: readonly Column[],
  rows: readonly string[][],
  { headed = true }: { headed?: boolean } = {},
): void {
  doc.font("sans").fontSize(7.5);
  const writeNames = () =>
    writeRow(
      doc,
      columns,
      columns.map(({ name }) => name),
      ink.muted,
    );
  if (headed) writeNames();
  if (headed && rows.length === 0) writeNote(doc, "Nothing.");
  for (const row of rows) {
    const bottom = doc.page.height - doc.page.margins.bottom;
    if (doc.y + rowHeight(doc, columns, row) > bottom) {
      doc.addPage();
      writeNames();
    }
    writeRow(doc, columns, row, ink.text);
  }
}

function rowHeight(doc: PDFKit.PDFDocument, columns: readonly Column[], row: readonly string[]) {
  const heights = columns.map(({ width }, place) =>
    doc.heightOfString(drawable(row[place] ?? ""), { width: width - rowGap }),
  );
  return Math.max(...heights) + rowGap;
}

function writeRow(
  doc: PDFKit.PDFDocument,
  columns: readonly Column[],
  row: readonly string[],
  colour: string,
): void {
  const { left } = doc.page.margins;
  const top = doc.y;
  const height = rowHeight(doc, columns, row);
  doc.fillColor(colour);
  let x = left;
  columns.forEach(({ width, right }, place) => {
    const align = right ? "right" : "left";
    doc.text(drawable(row[place] ?? ""), x, top, { width: width - rowGap, align });
    x += width;
  });
  doc.moveTo(left, top + height - rowGap / 2 - 1).lineTo(x - rowGap, top + height - rowGap / 2 - 1);
  doc.lineWidth(0.4).strokeColor(ink.hairline).stroke();
  doc.x = left;
  doc.y = top + height;
}

function writeNote(doc: PDFKit.PDFDocument, words: string): void {
  const { left, right } = doc.page.margins;
  doc.font("sans").fontSize(8).fillColor(ink.muted);
  doc.text(words, left, doc.y, { width: doc.page.width - left - right }).moveDown(0.5);
}
