import type { ReactNode } from "react";
import styles from "./stacked-table.module.css";

interface StackedTableProps {
  label: string;
  head: readonly string[];
  /** Its first cell names the row. */
  rows: readonly (readonly string[])[];
  className?: string | undefined;
  /** How the words of a cell are shown; as they are, unless it is said. */
  show?: (cell: string) => ReactNode;
  /** Its cells are figures: aligned at their end, and on a phone a line or two for each row. */
  figures?: boolean;
  /** The column that answers: bold, and on a phone next to the row's name. */
  answer?: number;
}

/** A small table within a text. On a phone each row becomes a block, its columns named in front. */
export function StackedTable({
  label,
  head,
  rows,
  className = "",
  show = (cell) => cell,
  figures = false,
  answer,
}: StackedTableProps) {
  return (
    <table
      className={`${styles.table} ${figures ? styles.figures : ""} ${className}`}
      aria-label={label}
    >
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = "", ...cells]) => (
          <tr key={[name, ...cells].join()}>
            <th scope="row">{show(name)}</th>
            {cells.map((cell, index) => (
              <td
                key={head[index + 1]}
                data-head={head[index + 1]}
                data-answer={index + 1 === answer || undefined}
              >
                {show(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
