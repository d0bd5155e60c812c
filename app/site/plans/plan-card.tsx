import { Button } from "@mantine/core";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { networkPaysPerThsDay, pricePerThsDay } from "#core/mining/plan-costs.ts";
import { projectScenarios } from "#core/mining/project-plan.ts";
import { formatUsd, formatUsdMicros } from "#core/money.ts";
import { terms } from "#core/terms.ts";
import type { OfferedPlan } from "#server/contracts/queries.ts";
import type { PlanRecord } from "#server/mining/plan-records.ts";
import { dayInWords } from "../legal/day-in-words.ts";
import type { Observed } from "./load-assumptions.ts";
import { PastContracts } from "./past-contracts.tsx";
import styles from "./plans.module.css";
import { purchaseOf } from "./purchase-of.ts";
import { ScenarioTable } from "./scenario-table.tsx";

interface PlanCardProps {
  plan: OfferedPlan;
  /** Null: it could not be read. */
  record: PlanRecord | "none" | null;
  observed: Observed;
  /** The first day that somebody who buys now is served. */
  firstDay: string;
}

/** Everything about a plan that a reader needs before he buys, the losing scenarios before the others. */
export function PlanCard({ plan, record, observed, firstDay }: PlanCardProps) {
  const { price, network, networkFresh } = observed;
  const start =
    price?.fresh && network && networkFresh ? { ...network, btcUsdE8: price.usdE8 } : null;
  const perDay = pricePerThsDay(plan);
  const fee = plan.maintenanceTodayUsdMicros;
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
      <dl className={styles.facts}>
        <Fact label="Cost of one TH/s and day">
          {formatUsdMicros(perDay, 4)} by the price + {formatUsdMicros(fee, 4)} maintenance ={" "}
          <strong>{formatUsdMicros(perDay + fee, 4)}</strong>
          {start ? (
            <>
              . The network pays{" "}
              <strong>{formatUsdMicros(networkPaysPerThsDay(start, start.btcUsdE8), 4)}</strong> for
              it today.
            </>
          ) : null}
        </Fact>
        <Fact label="The price is made of">
          {formatUsd(plan.machinesUsdCents)} machines, {formatUsd(plan.setupUsdCents)} setup,{" "}
          {formatUsd(plan.marginUsdCents)} the operator's margin
        </Fact>
        <Fact label="Maintenance of one TH/s and day">
          {formatUsdMicros(fee, 4)}, taken daily in bitcoin from your balance. As first published:{" "}
          {formatUsdMicros(plan.energyUsdMicros, 4)} electricity,{" "}
          {formatUsdMicros(plan.operationUsdMicros, 4)} premises, cooling and care,{" "}
          {formatUsdMicros(plan.maintenanceMarginUsdMicros, 4)} margin.
          {plan.announced.map((change) => (
            <span key={change.effectiveFrom} className={styles.change}>
              From {dayInWords(change.effectiveFrom)}: {formatUsdMicros(change.usdMicros, 4)}.{" "}
              {change.reason}
            </span>
          ))}
        </Fact>
        <Fact label="If maintenance is not paid">
          When your balance does not cover it for {terms.terminationClauseHours} hours, the contract
          is cancelled.{" "}
          {plan.termination === "refund-unserved"
            ? "The part of the price for days not served comes back to your balance."
            : "Nothing of the price is paid back: the days not served are lost."}
        </Fact>
        <Fact label="If machines stand still">
          What was not delivered is served after the term, without a further price. Maintenance is
          taken on those days, too.
        </Fact>
        <Fact label="Contracts of this plan that have ended">
          <PastContracts record={record} />
        </Fact>
      </dl>
      {start ? (
        <>
          <h3 className={styles.sub}>What one unit comes to</h3>
          <ScenarioTable
            label={`Scenarios for ${plan.name}`}
            results={projectScenarios(purchaseOf(plan, 1, firstDay), start)}
          />
        </>
      ) : (
        <p className={styles.missing}>
          What a unit comes to cannot be worked out without a fresh price and the network's
          difficulty. The calculator takes your own.
        </p>
      )}
      <div className={styles.actions}>
        {plan.freeUnits > 0 ? (
          <Button component="a" href={`/account/mining/buy?plan=${plan.slug}`}>
            Buy {plan.name}
          </Button>
        ) : null}
        <Button component="a" href={`/calculator?plan=${plan.slug}`} variant="default">
          Your own assumptions
        </Button>
      </div>
    </section>
  );
}

function Free({ plan }: { plan: OfferedPlan }) {
  if (plan.freeUnits === 0) return <p className={styles.soldOut}>Sold out at the moment</p>;
  const most = plan.freeUnits < plan.mostUnits ? plan.freeUnits : plan.mostUnits;
  return (
    <p className={styles.free}>
      {formatGhs(plan.unitGhs * BigInt(plan.freeUnits))} free:{" "}
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
