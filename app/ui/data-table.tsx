import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ArrowUpDown from "lucide-react/icons/arrow-up-down";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import styles from "./data-table.module.css";
import { type Direction, sortDirection, withParams } from "./list-params.ts";
import { type HeadCellProps, Table } from "./table.tsx";

interface DataTableProps {
  /** What the table lists, for screen readers. */
  label: string;
  /** No border: inside a Panel with `flush`. */
  bare?: boolean;
  /** `Table.Thead`, `Table.Tbody`, and `Table.Tfoot` for totals. */
  children: ReactNode;
}

/** A table that scrolls sideways on its own, by keyboard too, under a head that stays. */
export function DataTable({ label, bare = false, children }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      className={`${styles.scroll} ${bare ? styles.bare : ""}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className={styles.table}>{children}</table>
    </div>
  );
}

/** Search and page size, side by side above a table. */
export function TableTools({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

interface SortHeaderProps extends HeadCellProps {
  /** The value of `sort` in the URL. */
  column: string;
  /** Whether the list stands in this order when the URL names none, and which way. */
  initial?: Direction;
  /** Which way the first click sorts. */
  first?: Direction;
}

/** A column head that sorts by link: `?sort=column&dir=asc`. */
export function SortHeader({ column, initial, first = "asc", children, ...rest }: SortHeaderProps) {
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
