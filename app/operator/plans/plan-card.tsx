import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { pricePerThsDay } from "#core/mining/plan-costs.ts";
import { formatUsd } from "#core/money.ts";
import type { PricedTerms } from "#server/contracts/plans/plan.ts";
import { counted } from "../parts/counted.ts";
import styles from "./plan.module.css";

/** What customers see of a plan's terms: what it costs, and what that is made of. No yield, because nobody knows one. */
export function PlanCard({ plan }: { plan: PricedTerms }) {
  return (
    <div className={styles.card}>
      <h3>{plan.name}</h3>
      <div>
        {formatHashrate(plan.unitGhs)} for {counted(plan.termDays, "day")}
      </div>
      <div className={styles.price}>{formatUsd(plan.priceUsdCents)}</div>
      <ul className={styles.parts} aria-label="The price is made of">
        <li>
          <span>Machines</span>
          <span>{formatUsd(plan.machinesUsdCents)}</span>
        </li>
        <li>
          <span>Setting up</span>
          <span>{formatUsd(plan.setupUsdCents)}</span>
        </li>
        <li>
          <span>Our margin</span>
          <span>{formatUsd(plan.marginUsdCents)}</span>
        </li>
        <li>
          <span>That is, per TH/s and day</span>
          <span>${writeDecimal(pricePerThsDay(plan), 6)}</span>
        </li>
      </ul>
      <ul className={styles.parts} aria-label="Maintenance per TH/s and day">
        <li>
          <strong>Maintenance per TH/s and day</strong>
          <strong>${writeDecimal(plan.maintenanceUsdMicros, 6)}</strong>
        </li>
        <li>
          <span>Energy</span>
          <span>${writeDecimal(plan.energyUsdMicros, 6)}</span>
        </li>
        <li>
          <span>Operation</span>
          <span>${writeDecimal(plan.operationUsdMicros, 6)}</span>
        </li>
        <li>
          <span>Our margin</span>
          <span>${writeDecimal(plan.maintenanceMarginUsdMicros, 6)}</span>
        </li>
      </ul>
      <p className={styles.second}>
        At most {counted(plan.mostUnits, "unit")} in one purchase.{" "}
        {plan.termination === "refund-unserved"
          ? "When a contract is cancelled for unpaid maintenance, the price of days not served is given back."
          : "When a contract is cancelled for unpaid maintenance, its price is kept."}
      </p>
    </div>
  );
}
