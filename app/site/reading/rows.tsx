import type { ReactNode } from "react";
import styles from "./reading.module.css";

interface RowsProps {
  label: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  narrow?: boolean;
}

/** A small table within a text. On a phone each row becomes a block, its columns named in front. */
export function Rows({ label, head, rows, narrow = false }: RowsProps) {
  return (
    <table className={`${styles.table} ${narrow ? styles.narrow : ""}`} aria-label={label}>
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
        {rows.map(([first, ...rest]) => (
          <tr key={String(first)}>
            <th scope="row">{first}</th>
            {rest.map((cell, index) => (
              <td key={head[index + 1]} data-head={head[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
