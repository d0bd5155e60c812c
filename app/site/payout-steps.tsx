import { Title } from "@mantine/core";
import { Drawing, type DrawingName } from "#app/ui/drawing.tsx";
import styles from "./home.module.css";

const steps: { drawing: DrawingName; title: string; text: string }[] = [
  {
    drawing: "rack",
    title: "The machines work",
    text: "A fleet hashes for one UTC day. What it delivered is measured, not assumed.",
  },
  {
    drawing: "block",
    title: "The pool pays",
    text: "A mining pool pays for that day in bitcoin. The payment has a transaction anyone can look up.",
  },
  {
    drawing: "balance",
    title: "Shares are weighed",
    text: "Payout times your hashrate, divided by the fleet's, rounded down. Remainders carry over to the next day.",
  },
  {
    drawing: "journal",
    title: "Your share is entered",
    text: "The credit becomes an entry in a double-entry journal that takes no edits. Nobody can type a balance.",
  },
  {
    drawing: "seal",
    title: "The figure is stamped",
    text: "A small mark stands beside it. The mark opens the receipt, and you can work the sum out again.",
  },
];

/** How a payout becomes a credit, in five steps. */
export function PayoutSteps() {
  return (
    <div className={styles.band}>
      <section className={styles.section} aria-labelledby="payout">
        <Title order={2} id="payout" className={styles.heading}>
          How a payout becomes a credit
        </Title>
        <p className={styles.lead}>
          An assay tells how much gold is in the ore. Every coin credited here goes the same way: no
          payment from a pool, no credit.
        </p>
        <ol className={styles.steps}>
          {steps.map(({ drawing, title, text }) => (
            <li key={title} className={styles.step}>
              <div className={styles.picture}>
                <Drawing name={drawing} />
              </div>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <p className={styles.aside}>
          A day can pay less than it costs, and a contract can end with a loss. The figures say so
          as plainly as they say the opposite.
        </p>
      </section>
    </div>
  );
}
