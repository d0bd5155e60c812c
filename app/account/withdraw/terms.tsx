import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { terms } from "#core/terms.ts";
import { levelLimits, limitInWords } from "#core/verification-levels.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

/** What applies, in numbers. */
export function Terms({ data }: { data: WithdrawData }) {
  const { feeUnits, level, withdrawn, balances } = data;
  const most = levelLimits[level].withdrawalsUsdCents;
  const others = (["ETH", "USDT"] as const).filter((coin) => balances[coin].available > 0n);
  return (
    <Panel title="What applies">
      <Facts
        facts={[
          { label: "Minimum", value: <Amount units={terms.minimumWithdrawalSats} asset="BTC" /> },
          { label: "Our fee", value: <Amount units={feeUnits} asset="BTC" /> },
          { label: "Processed", value: "the next day (UTC), in one batch" },
          {
            label: "Within 30 days",
            value: (
              <>
                {limitInWords(most)}
                {most !== null && most > 0n ? (
                  <>
                    , <Usd cents={withdrawn} /> used.{" "}
                    <Link to="/account/verification">Raise it</Link>
                  </>
                ) : null}
              </>
            ),
          },
          balances.BTC.held > 0n && {
            label: "Held now",
            value: <Amount units={balances.BTC.held} asset="BTC" />,
          },
        ]}
      />
      <p className={styles.after}>
        {others.length > 0
          ? `${others.join(" and ")} cannot be withdrawn on this page yet. It stays in your balance.`
          : "Ether and USDT cannot be withdrawn on this page yet."}
      </p>
    </Panel>
  );
}
