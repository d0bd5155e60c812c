import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { formatGhs, unseenWords } from "#core/mining/hashrate-words.ts";
import { formatUsdMicros } from "#core/money.ts";
import { assetNames, formatPrice } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Quote } from "#server/contracts/find-quote.ts";
import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import styles from "./mining.module.css";

const smallest = { BTC: "satoshi", ETH: "wei", USDT: "millionth of a USDT" } as const;

/** What is paid, at which price, and what is left of the balance. */
export function PriceFacts({ quote, available }: { quote: Quote; available: bigint }) {
  const { units, coin, usdCents, priceUsdE8, priceObservedAt, simulated } = quote;
  return (
    <>
      <Facts
        facts={[
          { label: "You pay", value: <Amount units={units} asset={coin} /> },
          { label: "For", value: <Usd cents={usdCents} /> },
          {
            label: `${assetNames[coin]} at`,
            value: (
              <>
                {formatPrice(priceUsdE8)}, agreed <When at={priceObservedAt} />
                {simulated ? " (simulated)" : ""}
              </>
            ),
          },
          { label: "Your balance", value: <Amount units={available} asset={coin} /> },
          {
            label: "Afterwards",
            value:
              available >= units ? (
                <Amount units={available - units} asset={coin} />
              ) : (
                <>
                  not covered. <Link to="/account/deposit">Make a deposit</Link>
                </>
              ),
          },
        ]}
      />
      <p className={styles.note}>
        We round the coins up to the smallest unit: by less than one {smallest[coin]}.
      </p>
    </>
  );
}

interface ContractOutlookProps {
  quote: Quote;
  plan: OfferedPlan;
  dates: { startsOn: string; lastDay: string | null; isFirst: boolean };
  /** False: no pool's measurements bound what is for sale. */
  isSeen: boolean;
}

/** The contract that the purchase would make. */
export function ContractOutlook({ quote, plan, dates, isSeen }: ContractOutlookProps) {
  const { startsOn, lastDay, isFirst } = dates;
  const ghs = plan.unitGhs * BigInt(quote.quantity);
  return (
    <Facts
      facts={[
        { label: "Hashrate", value: formatGhs(ghs) },
        !isSeen && { label: "Measured by pools", value: unseenWords },
        { label: "Term", value: `${plan.termDays} days` },
        { label: "First day", value: `${formatDay(startsOn)} (UTC day)` },
        lastDay !== null && {
          label: "Last day",
          value: `${formatDay(lastDay)}, later if there is downtime`,
        },
        {
          label: "Maintenance fee",
          value: `${formatUsdMicros((plan.maintenanceTodayUsdMicros * ghs) / 1000n, 4)} a day, taken from your BTC`,
        },
        ...plan.announced.map((change) => ({
          label: `From ${formatDay(change.effectiveFrom)}`,
          value: `${formatUsdMicros((change.usdMicros * ghs) / 1000n, 4)} a day. ${change.reason}`,
        })),
        {
          label: `Unpaid for ${terms.terminationClauseHours} hours`,
          value:
            plan.termination === "refund-unserved"
              ? "Cancelled; we refund the price of days not served"
              : "Cancelled; the price is not refunded",
        },
        {
          label: "Refund",
          value: isFirst
            ? `for ${terms.coolingOffHours} hours, in full`
            : "not available (first contract only)",
        },
      ]}
    />
  );
}
