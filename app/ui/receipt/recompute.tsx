import { useState } from "react";
import { Button } from "#app/ui/controls/button.tsx";
import {
  type ReceiptFigures,
  recomputeReceipt,
  type Step,
} from "#core/mining/recompute-receipt.ts";
import { useHydrated } from "../browser/use-hydrated.ts";
import { withMinus } from "../figures/with-minus.ts";
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
        look="outline"
        disabled={!hydrated}
        onClick={() => setSteps(recomputeReceipt(receipt))}
      >
        Recompute
      </Button>
      <noscript>
        <p className={styles.note}>
          This needs JavaScript. The formula and all figures are below, so you can also use a
          calculator.
        </p>
      </noscript>
      {/* The verdict alone is announced; who wants the steps reads on. */}
      <div role="status">{steps ? <Verdict steps={steps} /> : null}</div>
      {steps ? <Steps steps={steps} /> : null}
    </>
  );
}

function Verdict({ steps }: { steps: Step[] }) {
  const { agrees, words } = verdictOf(steps);
  return <p className={agrees ? styles.agrees : styles.differs}>{words}</p>;
}

function Steps({ steps }: { steps: Step[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ name, formula, computed, stated, agrees }) => (
        <li key={name}>
          <span className={styles.name}>{name}</span>
          <code>
            {formula} = {withMinus(computed)}
          </code>
          <span className={agrees ? styles.same : styles.other}>
            {agrees ? "agrees" : `differs: the receipt says ${withMinus(stated)}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
