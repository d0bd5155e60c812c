import type { Key, ReactNode } from "react";
import { Link, useLocation, useNavigation, useSearchParams } from "react-router";
import { ArrowDown, ArrowUp, ArrowUpDown } from "#app/ui/icons.tsx";
import styles from "./data-table.module.css";
import { type Direction, sortDirection, withParams } from "./list-params.ts";
import { type SortValue, sortRows } from "./sort-rows.ts";
import { type HeadCellProps, Table } from "./table.tsx";

/** A column of a list: what its head says, and what is in a row's cell. */
export interface Column<Row> {
  head: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  /** For head and cells; `headClass` and `cellClass` for one of them. */
  className?: string | undefined;
  headClass?: string | undefined;
  cellClass?: string | undefined | ((row: Row) => string | undefined);
  /** Figures are aligned to the right. */
  align?: "right";
  /** Whether it names the row, for who hears the table. */
  names?: boolean;
  /** Its cell in a last row, of what all rows come to; the first one says what that is. */
  foot?: ReactNode;
  /** Its head sorts the list: `?sort=column&dir=asc`. With `by` the table does it, else whoever reads the rows. */
  sort?: Sorting & { by?: (row: Row) => SortValue };
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  /** No border: inside a Panel with `flush`. */
  bare?: boolean;
  /** Small and close together, where all of a page is to fit on one screen. */
  dense?: boolean;
  /** Null: not shown this time. */
  columns: readonly (Column<Row> | null)[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => Key;
  rowClass?: string | undefined | ((row: Row) => string | undefined);
  /** Whether these rows are the list, and not a page of it: only then does the table sort them. */
  whole?: boolean;
  /** A `Table.Tfoot`, for totals. */
  children?: ReactNode;
}

interface TableFrameProps {
  /** What the table lists, for screen readers. */
  label: string;
  /** No border: inside a Panel with `flush`. */
  bare?: boolean;
  dense?: boolean;
  /** `Table.Thead`, `Table.Tbody`, and `Table.Tfoot` for totals. */
  children: ReactNode;
}

/**
 * A table that scrolls sideways on its own, by keyboard too, under a head that stays: around what is no list of rows with
 * the same columns. A list is a `DataTable`.
 */
export function TableFrame({ label, bare = false, dense = false, children }: TableFrameProps) {
  const isLoading = useLoadingList();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      className={`${styles.scroll} ${bare ? styles.bare : ""}`}
      data-loading={isLoading || undefined}
      aria-busy={isLoading || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className={dense ? `${styles.table} ${styles.dense}` : styles.table}>{children}</table>
    </div>
  );
}

/** A list with its columns as data, in a frame that scrolls sideways. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, bare, dense, rowKey, rowClass, whole = true, children } = props;
  const columns = props.columns.filter((each) => each !== null);
  const [params] = useSearchParams();
  const sorted = whole
    ? columns.find(({ sort }) => sort?.by && sort.column === params.get("sort"))
    : null;
  const rows = sorted?.sort?.by
    ? sortRows(props.rows, sorted.sort.by, sortDirection(params, sorted.sort.column, undefined))
    : props.rows;
  return (
    // Sorted by a column, the list is no longer in the order that its label may say.
    <TableFrame
      label={sorted ? (label.split(",")[0] ?? label) : label}
      bare={bare ?? false}
      dense={dense ?? false}
    >
      <thead>
        <tr>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
            <Head key={at} column={column} whole={whole} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)} className={classOf(rowClass, row)}>
            {columns.map((column, at) => {
              const Cell = column.names ? "th" : "td";
              return (
                <Cell
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  key={at}
                  scope={column.names ? "row" : undefined}
                  className={classes(column.className, classOf(column.cellClass, row))}
                  data-align={column.align}
                >
                  {column.cell(row, index)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
      <Foot columns={columns} />
      {children}
    </TableFrame>
  );
}

/** Whether another page, order or filter of this page's list is on its way: after a second its rows become bars. */
function useLoadingList(): boolean {
  const { state, location } = useNavigation();
  const { pathname, search } = useLocation();
  return state === "loading" && location.pathname === pathname && location.search !== search;
}

function Head<Row>({ column, whole }: { column: Column<Row>; whole: boolean }) {
  const { head, sort, align, className, headClass } = column;
  const shared = { ...(align && { ta: align }), className: classes(className, headClass) };
  if (!sort || (sort.by && !whole)) return <Table.Th {...shared}>{head}</Table.Th>;
  const { by: _, ...sorting } = sort;
  return (
    <SortHeader {...shared} {...sorting}>
      {head}
    </SortHeader>
  );
}

function Foot<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  if (columns.every(({ foot }) => foot === undefined)) return null;
  return (
    <tfoot>
      <tr>
        {columns.map(({ foot, className, align }, at) => {
          const Cell = at === 0 ? "th" : "td";
          return (
            <Cell
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              key={at}
              scope={at === 0 ? "row" : undefined}
              className={className}
              data-align={align}
            >
              {foot}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}

function classOf<Row>(given: string | undefined | ((row: Row) => string | undefined), row: Row) {
  return typeof given === "function" ? given(row) : given;
}

function classes(...names: (string | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}

/** Search and page size, side by side above a table. */
export function TableTools({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

interface Sorting {
  /** The value of `sort` in the URL. */
  column: string;
  /** Whether the list is in this order when the URL names none, and which way. */
  initial?: Direction;
  /** Which way the first click sorts. */
  first?: Direction;
}

/** A column head that sorts by link: `?sort=column&dir=asc`. */
export function SortHeader({
  column,
  initial,
  first = "asc",
  children,
  ...rest
}: Sorting & HeadCellProps) {
  const [params] = useSearchParams();
  const direction = sortDirection(params, column, initial);
  const next = direction === null ? first : direction === "asc" ? "desc" : "asc";
  return (
    <Table.Th {...rest} aria-sort={direction ? ariaSort[direction] : "none"}>
      <Link
        to={withParams(params, { sort: column, dir: next, page: null, after: null, before: null })}
        className={`${styles.sort} ${direction ? styles.sorted : ""}`}
        preventScrollReset
      >
        {children}
        <SortIcon direction={direction} />
      </Link>
    </Table.Th>
  );
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

function SortIcon({ direction }: { direction: Direction | null }) {
  if (direction === "asc") return <ArrowUp size={14} aria-hidden="true" />;
  if (direction === "desc") return <ArrowDown size={14} aria-hidden="true" />;
  return <ArrowUpDown className={styles.idle} size={14} aria-hidden="true" />;
}
