import { Button } from "#app/ui/controls/button.tsx";
import { recomputeLead } from "#app/ui/receipt/recompute-words.ts";
import { type ReceiptFigures, writeFigures } from "#core/mining/recompute-receipt.ts";
import styles from "./recompute-plain.module.css";

interface RecomputePlainProps {
  receipt: ReceiptFigures;
  lead?: string;
}

/** What app/site/enhance/recompute.ts fills: one row is ready as the model of all. The verdict alone is announced. */
export function RecomputePlain({ receipt, lead = recomputeLead }: RecomputePlainProps) {
  return (
    <div className={styles.recompute} data-recompute={writeFigures(receipt)}>
      <div className={styles.ask}>
        <Button look="outline" className={styles.button} hidden>
          Recompute
        </Button>
        <p className={styles.note}>{lead}</p>
      </div>
      <noscript>
        <p className={styles.note}>
          Recompute needs JavaScript. The formula and all figures are on the receipt.
        </p>
      </noscript>
      <div role="status">
        <p className={styles.agrees} data-agrees hidden />
        <p className={styles.differs} data-differs hidden />
      </div>
      <details className={styles.steps} data-steps hidden>
        <summary>The steps, one by one</summary>
        <ol>
          <li>
            <span className={styles.name} data-name />
            <code />
            <span className={styles.same} data-same hidden />
            <span className={styles.other} data-other hidden />
          </li>
        </ol>
      </details>
    </div>
  );
}
