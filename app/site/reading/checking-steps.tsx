import type { ReactNode } from "react";
import { Link } from "react-router";
import { Drawing, type DrawingName } from "#app/ui/page/drawing.tsx";
import styles from "./reading.module.css";

const steps: { drawing: DrawingName; title: string; text: ReactNode }[] = [
  {
    drawing: "touchstone",
    title: "Press the stamp",
    text: "It opens what the figure is made of: a balance opens the entries that add up to it, and each entry shows the balance after it.",
  },
  {
    drawing: "ledger",
    title: "Read both sides of the transfer",
    text: "Every entry belongs to a transfer with at least two sides, and for each coin they add up to zero. You see your side and the operator's.",
  },
  {
    drawing: "block",
    title: "Look up what caused it",
    text: "A transfer names its document. For a deposit or a withdrawal that is the payment, whose transaction id you can look up in a node or explorer of your own choice, and your slip if there was one. For a mining day it is a receipt, which your browser recomputes from what the pool paid.",
  },
  {
    drawing: "seal",
    title: "Keep the seal",
    text: (
      <>
        Within about a minute we seal a transfer: a SHA-256 over it and everything sealed before.
        Note the seal's number and hash, off this site. If history were rewritten later, the same
        number would show another hash. <Link to="/proof">One hash a day</Link>, published for
        everyone, includes all seals before it.
      </>
    ),
  },
  {
    drawing: "balance",
    title: "Have it all recomputed",
    text: (
      <>
        <code>npm run verify -- ledger NUMBER:HASH</code> computes every seal, balance and sum again
        from the rows and compares them with the seal that you kept. It needs the database, so the
        operator runs it, or an auditor with access: <Link to="/contact">ask for the result</Link>.
        You cannot do this from your own machine yet.
      </>
    ),
  },
];

/** How a customer gets from a figure to its proof, in five steps. */
export function CheckingSteps() {
  return (
    <ol className={styles.steps}>
      {steps.map(({ drawing, title, text }, index) => (
        <li key={title} className={styles.step}>
          <div className={styles.picture}>
            <Drawing name={drawing} />
          </div>
          <div>
            <h3>
              {index + 1}. {title}
            </h3>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
