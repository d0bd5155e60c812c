import styles from "#app/ui/receipt/receipt.module.css";
import { recomputeLead } from "#app/ui/receipt/recompute-words.ts";
import { type ReceiptFigures, writeFigures } from "#core/mining/recompute-receipt.ts";

/** What app/site/enhance/recompute.ts fills: one row stands ready as the model of all. */
export function RecomputePlain({ receipt }: { receipt: ReceiptFigures }) {
  return (
    <div data-recompute={writeFigures(receipt)}>
      <p className={styles.note}>{recomputeLead}</p>
      <button type="button" className={styles.button} hidden>
        Recompute
      </button>
      <noscript>
        <p className={styles.note}>It needs JavaScript. The formula and all figures stand above.</p>
      </noscript>
      <div role="status">
        <p className={styles.agrees} data-agrees hidden />
        <p className={styles.differs} data-differs hidden />
        <ol className={styles.steps} hidden>
          <li>
            <span className={styles.name} data-name />
            <code />
            <span className={styles.same} data-same hidden />
            <span className={styles.other} data-other hidden />
          </li>
        </ol>
      </div>
    </div>
  );
}
