import type { ReactNode } from "react";
import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import home from "./home-section.module.css";
import { PayoutScene, type SceneName } from "./payout-scenes.tsx";
import styles from "./payout-steps.module.css";

/** A day in round numbers. It shows the sum, not what a day brings. */
const example = {
  fleetThs: 100_000n,
  yoursThs: 100n,
  payoutSats: 4_190_950n,
  poorPayoutSats: 2_793_900n,
  feeSats: 3_400n,
};
const creditSats = (example.payoutSats * example.yoursThs) / example.fleetThs;
const poorCreditSats = (example.poorPayoutSats * example.yoursThs) / example.fleetThs;

interface Step {
  scene: SceneName;
  title: string;
  text: string;
  sum: [label: string, value: ReactNode][];
}

const steps: Step[] = [
  {
    scene: "hall",
    title: "The machines work",
    text: "A fleet hashes for one UTC day. The pool measures what it delivered. What we sold and did not deliver is added to the end of your contract.",
    sum: [
      ["Delivered by the fleet", "100,000 TH/s"],
      ["Your contract", "100 TH/s"],
    ],
  },
  {
    scene: "chain",
    title: "The pool pays",
    text: "A mining pool pays for that day in bitcoin. The payment has a transaction that anyone can look up. Without a payout there is no credit.",
    sum: [["Paid by the pool", <Coin key="paid" sats={example.payoutSats} />]],
  },
  {
    scene: "weighing",
    title: "Shares are weighed",
    text: "Your share is the payout times your hashrate, divided by the fleet's, rounded down to the satoshi. We carry the remainder to the next day.",
    sum: [
      ["0.04190950 × 100 ÷ 100,000", <Coin key="share" sats={creditSats} />],
      ["Carried over", "0.95 satoshi"],
    ],
  },
  {
    scene: "ledger",
    title: "Your share is entered",
    text: "Credit and maintenance fee become entries in a double-entry ledger that cannot be edited. No one, the operator included, can type a balance.",
    sum: [
      ["Mined", <Coin key="mined" sats={creditSats} signed />],
      ["Maintenance fee", <Coin key="fee" sats={-example.feeSats} signed />],
      ["Left of the day", <Coin key="left" sats={creditSats - example.feeSats} signed />],
    ],
  },
  {
    scene: "stamp",
    title: "The figure is stamped",
    text: "A small mark appears next to the figure. It opens the receipt, which you can recompute. A losing day is stamped just the same.",
    sum: [
      [
        "Left, had the pool paid a third less",
        <Coin key="poor" sats={poorCreditSats - example.feeSats} signed />,
      ],
    ],
  },
];

/** How a payout becomes a credit, in five steps. Stepping is the browser's own: a group of radio buttons. */
export function PayoutSteps() {
  return (
    <div className={styles.band}>
      <section className={`${home.section} ${styles.section}`} aria-labelledby="payout">
        <h2 id="payout" className={`${home.heading} ${styles.heading}`}>
          How a payout becomes a credit
        </h2>
        <p className={home.lead}>
          An assay tells how much gold is in the ore. Every mined coin takes the same five steps,
          and you can check each of them.
        </p>
        <div className={styles.steps}>
          <fieldset className={styles.rail}>
            <legend>
              <VisuallyHidden>Step</VisuallyHidden>
            </legend>
            {steps.map(({ title }, index) => (
              <label key={title} className={styles.choice}>
                <input
                  type="radio"
                  name="payout-step"
                  value={index + 1}
                  id={stepId(index)}
                  aria-label={title}
                  defaultChecked={index === 0}
                />
                <span className={styles.number} aria-hidden="true">
                  {index + 1}
                </span>
                <span className={styles.name}>{title}</span>
              </label>
            ))}
          </fieldset>
          <div className={styles.stage}>
            {steps.map((step, index) => (
              <StepPanel key={step.title} step={step} index={index} />
            ))}
          </div>
        </div>
        <p className={styles.aside}>
          The numbers are a round example. A day can pay less than it costs, and a contract can end
          with a loss: the figures show a loss as plainly as a gain. See{" "}
          <Link to="/services#today">what we offer today, and what we do not</Link>.
        </p>
      </section>
    </div>
  );
}

function StepPanel({ step: { scene, title, text, sum }, index }: { step: Step; index: number }) {
  const next = steps[index + 1];
  return (
    <div className={styles.panel}>
      <div className={styles.picture}>
        <PayoutScene name={scene} />
      </div>
      <div className={styles.words}>
        <h3>{title}</h3>
        <p>{text}</p>
        <dl className={styles.sum}>
          {sum.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {/* For a pointer; the keyboard steps with the arrows. */}
        <label htmlFor={stepId(next ? index + 1 : 0)} className={styles.next}>
          {next ? `Next: ${next.title}` : "From the start"}
        </label>
      </div>
    </div>
  );
}

function stepId(index: number): string {
  return `payout-step-${index + 1}`;
}

function Coin({ sats, signed = false }: { sats: bigint; signed?: boolean }) {
  return <Amount units={sats} asset="BTC" signed={signed} plain />;
}
