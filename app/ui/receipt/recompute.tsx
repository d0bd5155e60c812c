import { Button } from "@mantine/core";
import { useState } from "react";
import {
  type ReceiptFigures,
  recomputeReceipt,
  type Step,
} from "#core/mining/recompute-receipt.ts";
import { useHydrated } from "../use-hydrated.ts";
import { withMinus } from "../with-minus.ts";
import styles from "./receipt.module.css";
import { recomputeLead, verdictOf } from "./recompute-words.ts";

/** Works the receipt out again in the reader's browser, with the same functions, and says whether it agrees. */
export function Recompute({ receipt }: { receipt: ReceiptFigures }) {
  const hydrated = useHydrated();
  const [steps, setSteps] = useState<Step[] | null>(null);
  return (
    <>
      <p className={styles.note}>{recomputeLead}</p>
      <Button
        variant="outline"
        disabled={!hydrated}
        onClick={() => setSteps(recomputeReceipt(receipt))}
      >
        Recompute
      </Button>
      <noscript>
        <p className={styles.note}>
          It needs JavaScript. The formula and all figures stand above: a pocket calculator does,
          too.
        </p>
      </noscript>
      <div role="status">{steps ? <Steps steps={steps} /> : null}</div>
    </>
  );
}

function Steps({ steps }: { steps: Step[] }) {
  const { agrees, words } = verdictOf(steps);
  return (
    <>
      <p className={agrees ? styles.agrees : styles.differs}>{words}</p>
      <ol className={styles.steps}>
        {steps.map(({ name, formula, computed, stated, agrees: same }) => (
          <li key={name}>
            <span className={styles.name}>{name}</span>
            <code>
              {formula} = {withMinus(computed)}
            </code>
            <span className={same ? styles.same : styles.other}>
              {same ? "agrees" : `differs: the receipt says ${withMinus(stated)}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
