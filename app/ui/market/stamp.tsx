import styles from "./stamp.module.css";

/**
 * The hallmark inside a link to a price's evidence: whole while the price is fresh, broken when it is not. Which
 * of the two is drawn follows `data-state` of what it is in, so that it changes with the price.
 */
export function Stamp() {
  return <span className={styles.stamp} aria-hidden="true" />;
}
