import { TextInput } from "@mantine/core";
import styles from "./withdrawals.module.css";

/** What a Bitcoin transaction pays to who mines it. */
export function FeeRateField({ defaultValue }: { defaultValue: string }) {
  return (
    <TextInput
      className={styles.narrow}
      name="feeRate"
      label="Fee rate"
      description="Satoshis per virtual byte"
      inputMode="numeric"
      required
      withAsterisk={false}
      defaultValue={defaultValue}
    />
  );
}
