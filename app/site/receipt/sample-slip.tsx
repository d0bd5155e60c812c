import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Term } from "#app/ui/figures/term.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import type { ReceiptFigures } from "#core/mining/recompute-receipt.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Sample } from "./load-sample-receipt.ts";
import { RecomputePlain } from "./recompute-plain.tsx";
import styles from "./sample-slip.module.css";

interface SampleSlipProps {
  sample: Sample;
  heading: "h2" | "h3";
  /** Whether it leads to the whole receipt. */
  isShort?: boolean;
}

/** A day's receipt as a slip of paper, which the reader can have recomputed. It is no customer's. */
export function SampleSlip({ sample, heading: Heading, isShort = false }: SampleSlipProps) {
  const { figures, real } = sample;
  return (
    <section className={styles.slip} aria-labelledby="sample">
      <div className={styles.head}>
        <Heading id="sample">
          {real ? `Receipt of ${formatDay(real.day)}` : "Example receipt"}
        </Heading>
        <p>
          {real
            ? `What ${formatGhs(figures.ghs)} of ${real.planName} earned. It shows no customer.`
            : `${formatGhs(figures.ghs)}, in invented round figures: no pool has paid us yet.`}
        </p>
      </div>
      <Rows figures={figures} />
      <div className={styles.foot}>
        <RecomputePlain
          receipt={figures}
          lead="Your browser repeats every step from the evidence. Nothing is sent."
        />
        {isShort ? (
          <p className={styles.whole}>
            <Link to="/receipt">
              {real ? "The whole receipt, with its evidence" : "About receipts"}
            </Link>
          </p>
        ) : null}
      </div>
    </section>
  );
}

function Rows({ figures }: { figures: ReceiptFigures }) {
  const { ghs, payoutSats, sharedGhs, creditSats, feeSats } = figures;
  return (
    <dl className={styles.rows}>
      <div>
        <dt>
          <Term of="payout">Paid by the pool</Term>
        </dt>
        <dd>
          <Amount units={payoutSats} asset="BTC" plain />
        </dd>
      </div>
      <div>
        <dt>
          Shared by <Term of="hashrate">hashrate</Term> of
        </dt>
        <dd>{formatGhs(sharedGhs)}</dd>
      </div>
      <div>
        <dt>
          <Term of="credit">Credit</Term> for {formatGhs(ghs)}
        </dt>
        <dd>
          <Amount units={creditSats} asset="BTC" signed plain />
        </dd>
      </div>
      <div>
        <dt>
          <Term of="maintenance-fee">Maintenance fee</Term>
        </dt>
        <dd>
          <Amount units={-feeSats} asset="BTC" plain />
        </dd>
      </div>
      <div className={styles.net}>
        <dt>{creditSats < feeSats ? "Net, a loss" : "Net of the day"}</dt>
        <dd>
          <Amount units={creditSats - feeSats} asset="BTC" signed plain />
        </dd>
      </div>
    </dl>
  );
}
