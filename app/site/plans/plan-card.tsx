import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Usd } from "#app/ui/figures/amount.tsx";
import { ScenarioTable } from "#app/ui/tables/scenario-table.tsx";
import { purchaseOf } from "#core/mining/expected-result.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { projectScenarios } from "#core/mining/project-plan.ts";
import { formatUsd, formatUsdMicros } from "#core/money.ts";
import { terms } from "#core/terms.ts";
import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import type { PlanRecord } from "#server/mining/contracts/plan-records.ts";
import { dayInWords } from "../legal/day-in-words.ts";
import { CostBars } from "./cost-bars.tsx";
import type { Observed } from "./load-assumptions.ts";
import { returnedPer100, shareBelow } from "./plan-records.tsx";
import { dayOf, PlanSizes, startOf } from "./plan-sizes.tsx";
import styles from "./plans.module.css";
import { sizesOf } from "./sizes-of.ts";

interface PlanCardProps {
  plan: OfferedPlan;
  /** Of this version; null: it could not be read. */
  record: PlanRecord | "none" | null;
  /** Whether there are records of any version of any plan. */
  hasRecords: boolean;
  observed: Observed;
  /** The first day on which a buyer of today is served. */
  firstDay: string;
}

/** What a reader needs to know of a plan before buying: what it costs next to what it earns, the losing scenarios first. */
export function PlanCard({ plan, record, hasRecords, observed, firstDay }: PlanCardProps) {
  const start = startOf(observed);
  const largest = sizesOf(plan).at(-1) ?? 1;
  const size = formatGhs(plan.unitGhs * BigInt(largest));
  return (
    <section className={styles.plan} id={plan.slug} aria-labelledby={`${plan.slug}-name`}>
      <div className={styles.head}>
        <h2 id={`${plan.slug}-name`}>{plan.name}</h2>
        <p className={styles.unit}>
          {formatGhs(plan.unitGhs)} for {plan.termDays} days
        </p>
        <p className={styles.price}>
          <data value={plan.priceUsdCents.toString()}>{formatUsd(plan.priceUsdCents)}</data>
          <span> a unit</span>
        </p>
        <Free plan={plan} />
      </div>
      <div className={styles.judged}>
        <CostBars {...dayOf(plan, observed)} />
        <PlanSizes plan={plan} observed={observed} firstDay={firstDay} />
      </div>
      {start ? (
        <>
          <h3 className={styles.sub}>What {size} comes to</h3>
          <ScenarioTable
            label={`Scenarios for ${plan.name}`}
            results={projectScenarios(purchaseOf(plan, largest, firstDay), start)}
          />
        </>
      ) : (
        <p className={styles.missing}>
          We cannot show results without a fresh price and the network's difficulty. The calculator
          takes your own.
        </p>
      )}
      <p className={styles.past}>
        <strong>Contracts of this plan that have ended:</strong> <PastContracts record={record} />{" "}
        {hasRecords ? <a href="#records">Those of all plans and versions</a> : null}
      </p>
      {plan.announced.map((change) => (
        <p key={change.effectiveFrom} className={styles.change}>
          Maintenance fee from {dayInWords(change.effectiveFrom)}:{" "}
          {formatUsdMicros(change.usdMicros, 4)} per TH/s per day. {change.reason}
        </p>
      ))}
      <div className={styles.actions}>
        {plan.freeUnits > 0 ? (
          <ButtonLink to={`/account/mining/buy?plan=${plan.slug}`} reloadDocument>
            Buy {plan.name}
          </ButtonLink>
        ) : null}
        <ButtonLink to={`/calculator?plan=${plan.slug}`} look="quiet" reloadDocument>
          Try your own assumptions
        </ButtonLink>
      </div>
      <Conditions plan={plan} />
    </section>
  );
}

/** What the price is made of, and what can end a contract. */
function Conditions({ plan }: { plan: OfferedPlan }) {
  return (
    <details className={styles.conditions}>
      <summary>What you pay for, and what can end it</summary>
      <dl className={styles.facts}>
        <Fact label="The price is made of">
          {formatUsd(plan.machinesUsdCents)} machines, {formatUsd(plan.setupUsdCents)} setup,{" "}
          {formatUsd(plan.marginUsdCents)} the operator's margin
        </Fact>
        <Fact label="Maintenance fee per TH/s per day">
          {formatUsdMicros(plan.maintenanceTodayUsdMicros, 4)}, which we take daily in bitcoin from
          your balance. As first published: {formatUsdMicros(plan.energyUsdMicros, 4)} electricity,{" "}
          {formatUsdMicros(plan.operationUsdMicros, 4)} premises, cooling and care,{" "}
          {formatUsdMicros(plan.maintenanceMarginUsdMicros, 4)} margin.
        </Fact>
        <Fact label="If the fee is not paid">
          If your balance does not cover it for {terms.terminationClauseHours} hours, the contract
          is cancelled.{" "}
          {plan.termination === "refund-unserved"
            ? "We refund the part of the price for days not served."
            : "Nothing of the price is refunded: the days not served are lost."}
        </Fact>
        <Fact label="If machines are down">
          We add what was not delivered to the end of the term at no charge. You pay the maintenance
          fee on those days, too.
        </Fact>
      </dl>
    </details>
  );
}

function Free({ plan }: { plan: OfferedPlan }) {
  if (plan.freeUnits === 0) return <p className={styles.soldOut}>Sold out at the moment</p>;
  const most = plan.freeUnits < plan.mostUnits ? plan.freeUnits : plan.mostUnits;
  return (
    <p className={styles.free}>
      {formatGhs(plan.unitGhs * BigInt(plan.freeUnits))} available:{" "}
      {plan.freeUnits.toLocaleString("en-US")} {plan.freeUnits === 1 ? "unit" : "units"}, at most{" "}
      {most.toLocaleString("en-US")} in one purchase
    </p>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What past contracts really returned. Results that cannot be read are said to be unreadable: never none. */
function PastContracts({ record }: { record: PlanRecord | "none" | null }) {
  if (!record) return <>We could not read the results just now. Please reload this page later.</>;
  if (record === "none" || record.ended === 0) return <>None has ended yet.</>;
  const { ended, usdCents, medianCents, p10Cents, p90Cents } = record;
  return (
    <>
      {ended.toLocaleString("en-US")} {ended === 1 ? "has" : "have"} ended, for which{" "}
      <Usd cents={usdCents} /> was paid. Of every $100.00, what was mined less maintenance, and what
      was refunded, came to <Usd cents={returnedPer100(record)} />:{" "}
      <Usd cents={medianCents ?? 0n} /> in the middle, <Usd cents={p10Cents ?? 0n} /> or less for
      the worst tenth of the money, <Usd cents={p90Cents ?? 0n} /> or more for the best.{" "}
      {shareBelow(record)} of the money did not reach break-even. Each day counts at its own price.
    </>
  );
}
