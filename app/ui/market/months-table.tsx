import type { Stretch } from "#core/markets/market-overview.ts";
import styles from "./market-overview.module.css";
import { changeWords } from "./price-words.ts";

/** The figures behind the line, month by month. */
export function MonthsTable({ months }: { months: Stretch[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {["Month", "Open", "Highest", "Lowest", "Close", "Change"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody data-overview-months>
        {months.map(({ label, open, highest, lowest, close, change }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{open}</td>
            <td>{highest}</td>
            <td>{lowest}</td>
            <td>{close}</td>
            <td>{changeWords(change).text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
