import { TextInput } from "@mantine/core";
import { writeFeeRate } from "#core/fee-rate.ts";
import { withdrawalTerms } from "#core/withdrawal.ts";
import type { FeeSuggestion } from "#server/withdrawals/bitcoin/suggest-fee.ts";
import styles from "./withdrawals.module.css";

interface FeeRateFieldProps {
  /** What stands in it unless it was typed before. Missing: what the node estimates. */
  defaultValue?: string | undefined;
  /** Null: the node did not answer. */
  suggestion: FeeSuggestion | null;
}

/** What a Bitcoin transaction pays to who mines it, and what the node would pay. */
export function FeeRateField({ defaultValue, suggestion }: FeeRateFieldProps) {
  const suggested = suggestion?.feePerKvb ?? null;
  return (
    <TextInput
      classNames={{ wrapper: styles.narrow ?? "" }}
      name="feeRate"
      label="Fee rate"
      description={`Satoshis per virtual byte, such as 1.5. ${inWords(suggestion)}`}
      inputMode="decimal"
      autoComplete="off"
      required
      withAsterisk={false}
      defaultValue={
        defaultValue ?? (suggested === null ? "" : writeFeeRate(Math.max(suggested, lowest)))
      }
    />
  );
}

const lowest = withdrawalTerms.minFeeRate * 1000;

function inWords(suggestion: FeeSuggestion | null): string {
  if (!suggestion) return "The node did not answer: there is no estimate.";
  const { feePerKvb, withinBlocks, height } = suggestion;
  if (feePerKvb === null) {
    return `The node has no estimate at block ${height}: it has seen too few transactions.`;
  }
  const least = feePerKvb < lowest ? ` We pay at least ${withdrawalTerms.minFeeRate}.` : "";
  return `The node estimates ${writeFeeRate(feePerKvb)} to be mined within ${withinBlocks} blocks, asked now, at block ${height}.${least}`;
}
