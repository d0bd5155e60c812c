import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { levelLimits, limitInWords } from "#core/verification-levels.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

/** What the fee is for, coin by coin. */
const feeWords: Record<Coin, string> = {
  BTC: "The fee is taken from the amount, whatever the network costs on that day. The network's own fee is ours.",
  ETH: "The fee is taken from the amount, whatever the network costs on that day. The network's own fee is ours.",
  USDT: "Ethereum is paid in ether, never in USDT. We pay it from our own, and take this fee in USDT for it, whatever the network costs on that day. You need no ether.",
};

/** What applies, in numbers. */
export function Terms({ data }: { data: WithdrawData }) {
  const { coin, terms, level, withdrawn, balances, isFinal } = data;
  const most = isFinal ? null : levelLimits[level].withdrawalsUsdCents;
  const { held } = balances[coin];
  return (
    <Panel title="What applies">
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
                {limitInWords(most)}
                {most !== null && most > 0n ? (
                  <>
                    , <Usd cents={withdrawn} /> used.{" "}
                    <Link to="/account/verification">Raise&nbsp;it</Link>
                  </>
                ) : null}
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
