import type { PoolFormat } from "#core/mining/pool-formats.ts";
import { Refusal } from "#core/refusal.ts";
import { type DayOfPool, mostDeliveredGhs, mostUnits, statementMaxLines } from "../payout.ts";
import { type CsvLine, parseCsv } from "./parse-csv.ts";
import { readDay, readGhs, readSats } from "./read-figures.ts";
import { coinColumns, readHead, shapes, unitColumns } from "./shapes.ts";
import type { LineFault, StatementLine } from "./statement-line.ts";

/** The head of the table is looked for in so many lines: some files begin with a title. */
const headWithin = 15;

/**
 * Reads a pool's file: every line below the head with what it says of a day, or why it says nothing.
 *
 * @throws Refusal `payouts/not-text`, `payouts/no-table`, `payouts/too-many-lines`, `payouts/other-time-zone`
 */
export function readStatement(format: PoolFormat, content: Uint8Array): StatementLine[] {
  const { delimiter, lines } = parseCsv(decode(content));
  const head = lines
    .slice(0, headWithin)
    .map((line, index) => ({ index, columns: findColumns(format, line.cells) }))
    .find(({ columns }) => columns !== null);
  if (!head?.columns) throw new Refusal("payouts/no-table");
  refuseOtherZones(lines.slice(0, head.index + 1));
  const rows = lines.slice(head.index + 1);
  if (rows.length > statementMaxLines) throw new Refusal("payouts/too-many-lines");
  const columns = head.columns;
  return markTwice(rows.map((row) => readLine(row, columns, delimiter)));
}

function decode(content: Uint8Array): string {
  const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
  try {
    const text = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(content);
    if (!text.includes("\0")) return text;
  } catch {
    // Bytes that are no text, as the following says.
  }
  throw new Refusal("payouts/not-text");
}

interface Column {
  index: number;
  unit: string | null;
}

interface Columns {
  day: Column;
  amounts: Column[];
  hashrate: Column;
  hashrateUnit: Column | null;
  txid: Column | null;
  coin: Column | null;
}

function findColumns(format: PoolFormat, cells: string[]): Columns | null {
  const heads = cells.map(readHead);
  const find = (names: string[]): Column | null => {
    for (const name of names) {
      const index = heads.findIndex((head) => head.name === name);
      if (index >= 0) return { index, unit: heads[index]?.unit ?? null };
    }
    return null;
  };
  const shape = shapes[format];
  const day = find(shape.day);
  const hashrate = find(shape.hashrate);
  const sum = shape.amount.find(([first = ""]) => find([first]));
  if (!day || !hashrate || !sum) return null;
  return {
    day,
    hashrate,
    amounts: sum.flatMap((name) => find([name]) ?? []),
    hashrateUnit: find(unitColumns),
    txid: find(shape.txid),
    coin: find(coinColumns),
  };
}

const otherZone =
  /\b(?:utc|gmt)\s*[+-]\s*0*[1-9]|[+-]0[1-9]:?\d{2}\b|\b(?:local time|cst|est|edt|pst|pdt|cet|cest|msk|ist|jst|beijing|(?:asia|europe|america|africa|australia)\/\w+)\b/i;

/** Days of another zone are not the days that are credited here. */
function refuseOtherZones(lines: CsvLine[]): void {
  if (lines.some(({ cells }) => cells.some((cell) => otherZone.test(cell)))) {
    throw new Refusal("payouts/other-time-zone");
  }
}

function readLine(
  { line, cells, cutOff }: CsvLine,
  columns: Columns,
  delimiter: string,
): StatementLine {
  const text = cells.join(" | ").slice(0, 300);
  const said = cutOff ? "cut-off" : readDayOfPool(cells, columns, delimiter);
  return typeof said === "string"
    ? { line, text, said: null, fault: said }
    : { line, text, said, fault: null };
}

function readDayOfPool(
  cells: string[],
  columns: Columns,
  delimiter: string,
): DayOfPool | LineFault {
  const cell = (column: Column | null) => (column ? (cells[column.index] ?? "") : "");
  const day = readDay(cell(columns.day));
  if (typeof day === "string") return day;
  const coin = cell(columns.coin);
  if (coin && !/^(btc|bitcoin)$/i.test(coin)) return "other-coin";
  const units = addUp(columns.amounts, cell, delimiter);
  if (units === null) return "not-an-amount";
  const unit = cell(columns.hashrateUnit) || columns.hashrate.unit;
  const deliveredGhs = readGhs(cell(columns.hashrate), unit, delimiter);
  if (typeof deliveredGhs === "string") return deliveredGhs;
  if (units > mostUnits || deliveredGhs > mostDeliveredGhs) return "more-than-exists";
  const txid = cell(columns.txid).toLowerCase();
  const none = txid === "" || txid === "-" || txid === "n/a";
  if (!none && !/^[0-9a-f]{64}$/.test(txid)) return "not-a-txid";
  return { ...day, units, deliveredGhs, txid: none ? null : txid };
}

function addUp(
  amounts: Column[],
  cell: (column: Column) => string,
  delimiter: string,
): bigint | null {
  let sum = 0n;
  for (const [place, column] of amounts.entries()) {
    const text = cell(column);
    if (place > 0 && (text === "" || text === "-")) continue;
    const units = readSats(text, column.unit, delimiter);
    if (units === null) return null;
    sum += units;
  }
  return sum;
}

/** Of two lines about one day neither counts: they may be parts, or one of them a mistake. */
function markTwice(lines: StatementLine[]): StatementLine[] {
  const times = new Map<string, number>();
  for (const { said } of lines) if (said) times.set(said.day, (times.get(said.day) ?? 0) + 1);
  return lines.map((line) =>
    line.said && (times.get(line.said.day) ?? 0) > 1
      ? { ...line, fault: "twice-in-file" as const }
      : line,
  );
}
