import { markCrack, markLetter, markOutline } from "#app/ui/mark.ts";
import styles from "./stamp.module.css";

/**
 * The hallmark inside a link to a price's evidence: whole while the price is fresh, broken when it is not. Which
 * of the two is drawn follows `data-state` of what it stands in, so that it changes with the price.
 */
export function Stamp() {
  return (
    <svg className={styles.stamp} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path className={styles.outline} d={markOutline} />
      <path className={styles.letter} d={markLetter} />
      <path className={styles.crack} d={markCrack} />
    </svg>
  );
}
