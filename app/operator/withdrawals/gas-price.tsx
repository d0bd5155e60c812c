import { TextField } from "#app/ui/controls/text-field.tsx";
import { parseDecimal, writeDecimal } from "#core/decimal.ts";
import { Refusal } from "#core/refusal.ts";
import styles from "./withdrawals.module.css";

/** Fees per unit of gas are spoken of in gwei: 10^9 wei. */
const gweiPlaces = 9;

export function inGwei(wei: bigint): string {
  return writeDecimal(wei, gweiPlaces);
}

/** @throws Refusal `withdrawals/bad-fee-rate` */
export function readGasPrice(form: FormData) {
  const read = (name: string) => parseDecimal(String(form.get(name) ?? ""), gweiPlaces);
  const [maxFeePerGas, maxPriorityFeePerGas] = [read("maxFee"), read("tip")];
  if (maxFeePerGas === null || maxPriorityFeePerGas === null) {
    throw new Refusal("withdrawals/bad-fee-rate");
  }
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** The two fees that a transaction on Ethereum names (EIP-1559). */
export function GasPriceFields({ maxFee, tip }: { maxFee: string; tip: string }) {
  return (
    <div className={styles.pair}>
      <TextField
        name="maxFee"
        label="Highest fee"
        description="Gwei per gas, tip included"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={maxFee}
      />
      <TextField
        name="tip"
        label="Tip"
        description="Gwei per gas, to who makes the block"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={tip}
      />
    </div>
  );
}
