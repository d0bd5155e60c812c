import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { isOffered } from "#core/offered.ts";
import { terms } from "#core/terms.ts";
import type { Sample } from "../receipt/load-sample-receipt.ts";
import { SampleSlip } from "../receipt/sample-slip.tsx";
import { AssayBalance } from "./assay-balance.tsx";
import styles from "./hero.module.css";

/** What the service is, what to do, and a proof to try before anything else. Heading and tagline are the specification's. */
export function Hero({ sample }: { sample: Sample }) {
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.title}>Secure Trading and Bitcoin Cloud Mining Services</h1>
        <p className={styles.tagline}>
          The easiest, safest and fastest web app for cryptocurrency trading, mining and investments
          globally.
        </p>
        <p className={styles.ours}>
          Rent Bitcoin hashrate by the day. Every payout comes with a receipt you can recompute.{" "}
          {isOffered("Conversion between coins") ? null : "Trading is not offered yet."}
        </p>
        <div className={styles.ways}>
          <ButtonLink to="/signup" size="large">
            Open an account
          </ButtonLink>
          <Link to="/plans">See plans and prices</Link>
        </div>
        <ol className={styles.steps} aria-label="How to start">
          <li>Verify e-mail</li>
          <li>Deposit</li>
          <li>
            Buy <span>first contract refundable for {terms.coolingOffHours} h</span>
          </li>
        </ol>
        <p className={styles.law}>
          For people of {terms.minimumAge} or older, outside the United States. Mining can cost more
          than it brings.
        </p>
      </div>
      <div className={styles.proof}>
        <div className={styles.drawing}>
          <AssayBalance />
        </div>
        <SampleSlip sample={sample} heading="h2" isShort />
      </div>
    </section>
  );
}
