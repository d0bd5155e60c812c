import styles from "./console-list.module.css";

/** Says of a list that holds as many rows as are read that there may be more: a badge may count them. */
export function OnlyShown({ rows, most, which }: { rows: number; most: number; which: string }) {
  if (rows < most) return null;
  return (
    <p className={styles.empty}>
      Only the {which} {most} are shown. The others follow as these are decided.
    </p>
  );
}
