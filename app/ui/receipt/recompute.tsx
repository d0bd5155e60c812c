import { type ReactNode, useState } from "react";
import { Button } from "#app/ui/controls/button.tsx";
import type { Step } from "#core/mining/recompute-receipt.ts";
import { useHydrated } from "../browser/use-hydrated.ts";
import { withMinus } from "../figures/with-minus.ts";
import styles from "./receipt.module.css";
import { verdictOf } from "./recompute-words.ts";

interface RecomputeProps {
  lead: string;
  /** What is worked out again, in words: "the receipt". */
  of: string;
  /** How exactly the steps agree: "to the satoshi". */
  exact: string;
  /** Works it out. What it throws means that it could not be fetched. */
  recompute: () => Step[] | Promise<Step[]>;
  /** What a browser without scripts is told. */
  noScript: ReactNode;
}

/** Works something out again in the reader's browser, with the same functions, and says whether it agrees. */
export function Recompute({ lead, of, exact, recompute, noScript }: RecomputeProps) {
  const hydrated = useHydrated();
  const [steps, setSteps] = useState<Step[] | "under way" | "failed" | null>(null);
  const run = async () => {
    setSteps("under way");
    try {
      setSteps(await recompute());
    } catch {
      setSteps("failed");
    }
  };
  const isUnderWay = steps === "under way";
  return (
    <>
      <p className={styles.note}>{lead}</p>
      <Button
        look="outline"
        disabled={!hydrated || isUnderWay}
        spinner={isUnderWay}
        onClick={() => void run()}
      >
        Recompute
      </Button>
      <noscript>
        <p className={styles.note}>{noScript}</p>
      </noscript>
      {/* The verdict alone is announced; who wants the steps reads on. */}
      <div role="status">
        {steps === "failed" ? (
          <p className={styles.differs}>It could not be fetched. Please try again.</p>
        ) : null}
        {Array.isArray(steps) ? <Verdict steps={steps} exact={exact} /> : null}
      </div>
      {Array.isArray(steps) ? <Steps steps={steps} of={of} /> : null}
    </>
  );
}

function Verdict({ steps, exact }: { steps: Step[]; exact: string }) {
  const { agrees, words } = verdictOf(steps, exact);
  return <p className={agrees ? styles.agrees : styles.differs}>{words}</p>;
}

function Steps({ steps, of }: { steps: Step[]; of: string }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ name, formula, computed, stated, agrees }) => (
        <li key={name}>
          <span className={styles.name}>{name}</span>
          <code>
            {formula} = {withMinus(computed)}
          </code>
          <span className={agrees ? styles.same : styles.other}>
            {agrees ? "agrees" : `differs: ${of} says ${withMinus(stated)}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
