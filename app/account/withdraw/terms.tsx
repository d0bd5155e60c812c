import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { limitInWords, tierLimits } from "#core/people/kyc-tiers.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

/** What the fee is for, coin by coin. */
const feeWords: Record<Coin, string> = {
  BTC: "We deduct one fixed fee from the amount. We pay the network fee.",
  ETH: "We deduct one fixed fee from the amount. We pay the network fee.",
  USDT: "We deduct one fixed fee in USDT from the amount. We pay the network fee in ether, so you need no ether.",
};

/** Limits and fees, in numbers. */
export function Terms({ data }: { data: WithdrawData }) {
  const { coin, terms, level, withdrawn, balances, isFinal } = data;
  const most = isFinal ? null : tierLimits[level].withdrawalsUsdCents;
  const { held } = balances[coin];
  return (
    <Panel title="Limits and fees">
      <Facts
        facts={[
          terms && {
            label: "Minimum",
            value: isFinal ? "none" : <Amount units={terms.minimumUnits} asset={coin} />,
          },
          terms && {
            label: "Our fee",
            value: isFinal ? "none" : <Amount units={terms.feeUnits} asset={coin} />,
          },
          {
            label: "Network",
            value: coin === "BTC" ? "Bitcoin" : "Ethereum only",
          },
          { label: "Processed", value: "the next day (UTC), in one batch" },
          {
            label: "Within 30 days",
            value: (
              <>
                {most !== null && most > 0n ? (
                  <>
                    Until you are verified, at most <Usd cents={most} />; <Usd cents={withdrawn} />{" "}
                    used. <Link to="/account/verification">Verify your identity</Link>
                  </>
                ) : (
                  limitInWords(most)
                )}
              </>
            ),
          },
          held > 0n && { label: "Held now", value: <Amount units={held} asset={coin} /> },
        ]}
      />
      {isFinal ? null : <p className={styles.after}>{feeWords[coin]}</p>}
    </Panel>
  );
}
