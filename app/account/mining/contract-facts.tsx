import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import type { Contract } from "#server/contracts/find-contract.ts";
import type { MaintenanceChange } from "#server/contracts/maintenance/list-maintenance.ts";
import type { ContractWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { orderAgain } from "./contract-words.ts";
import styles from "./mining.module.css";

interface ContractFactsProps {
  contract: Contract;
  /** Every change of its plan's maintenance fee. */
  changes: MaintenanceChange[];
  now: Date;
}

/** What was agreed, and what was paid. */
export function ContractFacts({ contract, changes, now }: ContractFactsProps) {
  return (
    <Facts
      facts={[
        { label: "Hashrate", term: "hashrate", value: formatGhs(contract.ghs) },
        { label: "Price", value: <Usd cents={contract.usdCents} /> },
        {
          label: "Paid",
          value: (
            <span className={styles.marked}>
              <Amount units={contract.units} asset={contract.coin} />
              <Hallmark
                to={`/account/evidence/${contract.transferId}`}
                label="The transfer that paid it"
              />
            </span>
          ),
        },
        {
          label: "At",
          value: (
            <>
              {formatPrice(contract.priceUsdE8)} for one {contract.coin}
            </>
          ),
        },
        { label: "Bought", value: <When at={contract.boughtAt} beside /> },
        {
          label: "First day",
          term: "utc-day",
          value: `${formatDay(contract.startsOn)} (UTC day)`,
        },
        { label: "Planned last day", value: formatDay(contract.plannedLastDay) },
        contract.lastDay !== null && {
          label: "Ended by",
          value:
            contract.endReason === "given-back"
              ? "a refund before it started"
              : `${formatDay(contract.lastDay)}: ${contract.endReason === "served" ? "the end of its term" : "unpaid maintenance"}`,
        },
        {
          label: "Maintenance fee",
          term: "maintenance-fee",
          value: `${formatUsdMicros(contract.maintenanceUsdMicros, 4)} per TH/s per day`,
        },
        ...changesOf(contract, changes).map((change) => ({
          label: `${change.effectiveFrom > utcDay(now) ? "From" : "Since"} ${formatDay(change.effectiveFrom)}`,
          value: `${formatUsdMicros(change.usdMicros, 4)}: ${change.reason}`,
        })),
        {
          label: "Terms",
          value: (
            <a href={`/terms/terms-${contract.termsVersion}.txt`}>
              version {contract.termsVersion}
            </a>
          ),
        },
        {
          label: "SHA-256 of the terms",
          value: <CopyField text={contract.termsSha256} label="SHA-256 of the terms" short />,
        },
        {
          label: "Number",
          value: <CopyField text={contract.contractId} label="contract number" short />,
        },
      ]}
    />
  );
}

/** What changed, or will, while the contract ran or runs. */
function changesOf({ lastDay }: Contract, changes: MaintenanceChange[]): MaintenanceChange[] {
  return changes.filter(({ effectiveFrom }) => lastDay === null || effectiveFrom <= lastDay);
}

/** What ends a contract, and what does not. */
export function WhatCanEndIt({
  contract,
  totals,
}: {
  contract: Contract;
  totals: ContractWithTotals | null;
}) {
  if (contract.lastDay !== null) {
    return (
      <p className={styles.note}>
        It has ended. Credits stay in your balance, and its receipts stay here.{" "}
        <Link to={orderAgain(contract)}>Order again</Link>
      </p>
    );
  }
  return (
    <ul className={styles.next}>
      <li>
        The end of its term: after {contract.termDays} full days
        {totals ? ` (${contract.termDays - totals.servedDays} left)` : ""}.
      </li>
      <li>
        Unpaid maintenance for {terms.terminationClauseHours} hours. From the first missed fee on we
        show a timer here and send you three e-mails. The timer pauses until we have settled the day
        before.{" "}
        {contract.termination === "refund-unserved"
          ? "We refund the price of days not served."
          : "The price is not refunded."}
      </li>
      <li>Nothing else: not a low price of bitcoin, and not a high difficulty.</li>
    </ul>
  );
}
