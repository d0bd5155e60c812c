import type { ComponentProps, Key, ReactNode } from "react";
import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { type Column as DataColumn, DataTable } from "#app/ui/tables/data-table.tsx";
import type { SortValue } from "#app/ui/tables/sort-rows.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import styles from "./console-list.module.css";

type Shared<Row> = Pick<
  DataColumn<Row>,
  "head" | "align" | "names" | "className" | "headClass" | "foot"
>;

/** A field of a row that can be shown and sorted by as it is. */
type NameOf<Row> = {
  [Name in keyof Row]-?: Row[Name] extends SortValue | undefined ? Name : never;
}[keyof Row];

const formats = {
  hashrate: (ghs: bigint) => formatHashrate(ghs),
  usd: (cents: bigint) => <Usd cents={cents} />,
  btc: (sats: bigint) => <Amount units={sats} asset="BTC" />,
};

/** A column of a list of the console: what it is about, and how that is shown. */
export interface Column<Row> extends Shared<Row> {
  /** Shown where there is no `cell`, a moment as `When` and null as a dash; and what `sort` sorts by. */
  value?: NameOf<Row> | ((row: Row) => SortValue | undefined);
  /** How a figure is shown: GH/s, cents of a dollar, or satoshis. */
  format?: keyof typeof formats;
  cell?: (row: Row, index: number) => ReactNode;
  /** The row's own page: the cell links there, and `j` and `k` stop at it. */
  to?: (row: Row) => string;
  /** A second, quiet line; none where it is empty. */
  second?: (row: Row, index: number) => ReactNode;
  kind?: "number" | "day" | "memo" | "what";
  cellClass?: string | undefined;
  /** Its name in `?sort=`. With a minus in front the first click sorts downwards. */
  sort?: string;
}

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, "columns" | "rowKey"> & {
  columns: readonly (Column<Row> | null)[];
  /** Left out: the row's `id`, or else its place. */
  rowKey?: (row: Row, index: number) => Key;
};

/** A list of the console. The rows' first links are worked with `j` and `k`. */
export function ConsoleTable<Row>({ columns, rowKey = keyOf, ...props }: TableProps<Row>) {
  return (
    <DataTable
      rowClass={styles.row}
      {...props}
      rowKey={rowKey}
      columns={columns.map((column) => column && asDataColumn(column))}
    />
  );
}

function keyOf(row: unknown, index: number): Key {
  return (row as { id?: Key }).id ?? index;
}

function asDataColumn<Row>(column: Column<Row>): DataColumn<Row> {
  const { value, format, cell, to, second, kind, cellClass, className, sort, ...rest } = column;
  const isNumber = kind === "number" || format !== undefined;
  const cellValue = (row: Row) => (typeof value === "function" ? value(row) : value && row[value]);
  return {
    ...rest,
    className: joined(isNumber && styles.number, className),
    cellClass: joined(kind && !isNumber && styles[kind], cellClass),
    ...(sort && {
      sort: { ...sortingOf(sort), by: (row: Row) => (cellValue(row) as SortValue) ?? null },
    }),
    cell: (row, index) => {
      const shown = cell ? cell(row, index) : showValue(cellValue(row), format);
      const below = second?.(row, index);
      const first = to ? (
        <Link to={to(row)} className={styles.link} data-row>
          {shown}
        </Link>
      ) : (
        shown
      );
      if (!below) return first;
      return (
        <>
          {first}
          <div className={styles.second}>{below}</div>
        </>
      );
    },
  };
}

function showValue(value: unknown, format: keyof typeof formats | undefined): ReactNode {
  if (value === null || value === undefined) return "–";
  if (format) return formats[format](value as bigint);
  return value instanceof Date ? <When at={value} /> : String(value);
}

function sortingOf(sort: string) {
  return sort.startsWith("-")
    ? ({ column: sort.slice(1), first: "desc" } as const)
    : { column: sort };
}

function joined(...names: (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}
