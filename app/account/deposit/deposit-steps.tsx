import type { ReactNode } from "react";
import type { Coin } from "#core/asset.ts";
import { assetNames } from "#core/price.ts";
import type { UsualWaits } from "#server/deposits/find-usual-waits.ts";
import styles from "./deposit.module.css";

interface DepositStepsProps {
  takesSlips: boolean;
  /** The coins whose payments we see and credit. */
  credited: readonly Coin[];
  waits: UsualWaits;
}

/** The order of a deposit, and how long the last of it usually takes. */
export function DepositSteps({ takesSlips, credited, waits }: DepositStepsProps) {
  const isAutomatic = credited.length > 0;
  return (
    <ol className={styles.steps}>
      <Step title="Choose a coin">Each coin has an address and a network of its own.</Step>
      <Step title="Send">From your wallet or an exchange, to the address shown.</Step>
      <Step title={isAutomatic && !takesSlips ? "Wait" : "Tell us"}>
        {isAutomatic ? (
          <>We credit payments to your own address automatically{usually(credited, waits)}. </>
        ) : null}
        {takesSlips ? (
          <>
            {isAutomatic ? "Paid another way? Submit the payment slip" : "Submit the payment slip"}
            {waits.slipMinutes === null
              ? "."
              : `; we usually review it within ${inWords(waits.slipMinutes)}.`}
          </>
        ) : null}
      </Step>
    </ol>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <strong>{title}</strong>
      <span className={styles.stepWords}>{children}</span>
    </li>
  );
}

/** ", usually within 35 minutes", coin by coin where they differ. */
function usually(credited: readonly Coin[], { paymentMinutes }: UsualWaits): string {
  const known = credited.flatMap((coin) => {
    const minutes = paymentMinutes[coin];
    return minutes === undefined ? [] : [`${assetNames[coin]} within ${inWords(minutes)}`];
  });
  return known.length === 0 ? "" : `, usually ${known.join(", ")}`;
}

/** Rounded up, so that it is not less than it was: "35 minutes", "5 hours", "3 days". */
export function inWords(minutes: number): string {
  if (minutes <= 90) return count(Math.max(5, Math.ceil(minutes / 5) * 5), "minute");
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? count(hours, "hour") : count(Math.ceil(hours / 24), "day");
}

function count(number: number, unit: string): string {
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
}
