import { TextField } from "#app/ui/controls/text-field.tsx";
import { writeFeeRate } from "#core/payments/fee-rate.ts";
import type { FeeSuggestion } from "#server/withdrawals/bitcoin/suggest-fee.ts";

interface FeeRateFieldProps {
  /** What stands in it unless it was typed before. Missing: what the node estimates. */
  defaultValue?: string | undefined;
  /** Null: the node did not answer. */
  suggestion: FeeSuggestion | null;
  /** Whether it is for a version that replaces one which nodes know. */
  replaces?: boolean;
}

/** What a Bitcoin transaction pays to who mines it, and what the node would pay. */
export function FeeRateField({ defaultValue, suggestion, replaces = false }: FeeRateFieldProps) {
  const suggested = suggestion?.feePerKvb ?? null;
  return (
    <TextField
      narrow
      name="feeRate"
      label="Fee rate"
      description={`Satoshis per virtual byte, such as 1.5. ${inWords(suggestion, replaces)}`}
      inputMode="decimal"
      autoComplete="off"
      required
      defaultValue={
        defaultValue ??
        (suggested === null ? "" : writeFeeRate(Math.max(suggested, suggestion?.leastPerKvb ?? 0)))
      }
    />
  );
}

function inWords(suggestion: FeeSuggestion | null, replaces: boolean): string {
  if (!suggestion) return "The node did not answer: there is no estimate.";
  const { feePerKvb, withinBlocks, height, leastPerKvb, incrementPerKvb } = suggestion;
  const asks = replaces
    ? `It takes a replacement for ${writeFeeRate(incrementPerKvb)} more.`
    : `It passes on nothing below ${writeFeeRate(leastPerKvb)}.`;
  return feePerKvb === null
    ? `The node has no estimate at block ${height}: it has seen too few transactions. ${asks}`
    : `The node estimates ${writeFeeRate(feePerKvb)} to be mined within ${withinBlocks} blocks, asked now, at block ${height}. ${asks}`;
}
