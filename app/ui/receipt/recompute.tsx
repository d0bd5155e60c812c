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
  /** Works it out, or says in a sentence why it cannot. */
  recompute: () => Step[] | Promise<Step[] | string>;
  /** What a browser without scripts is told. */
  noScript: ReactNode;
}

/** Works something out again in the reader's browser, with the same functions, and says whether it agrees. */
export function Recompute({ lead, of, exact, recompute, noScript }: RecomputeProps) {
  const hydrated = useHydrated();
  const [isUnderWay, setUnderWay] = useState(false);
  const [found, setFound] = useState<Step[] | string>("");
  const run = async () => {
    if (isUnderWay) return;
    setUnderWay(true);
    setFound("");
    try {
      setFound(await recompute());
    } finally {
      setUnderWay(false);
    }
  };
  return (
    <>
      <p className={styles.note}>{lead}</p>
      <Button
        look="outline"
        disabled={!hydrated}
        aria-disabled={isUnderWay}
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
        {isUnderWay ? <p className={styles.note}>Under way…</p> : null}
        {typeof found === "string" ? (
          found && <p className={styles.differs}>{found}</p>
        ) : (
          <Verdict steps={found} exact={exact} />
        )}
      </div>
      {typeof found === "string" ? null : <Steps steps={found} of={of} />}
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
