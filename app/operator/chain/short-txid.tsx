import styles from "../parts/console-list.module.css";

interface ShortTxidProps {
  txid: string;
  /** Which output of it; null where the chain has none. */
  output?: number | null;
}

/** A transaction's id in one line, by its first and last digits: "41fde7ec…9368b0f1:0". Whole on hover. */
export function ShortTxid({ txid, output = null }: ShortTxidProps) {
  const end = output === null ? "" : `:${output}`;
  return (
    <code className={styles.code} title={txid + end}>
      {shortened(txid) + end}
    </code>
  );
}

export function shortened(text: string): string {
  return text.length <= 20 ? text : `${text.slice(0, 8)}…${text.slice(-8)}`;
}
