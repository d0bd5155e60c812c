import { Link } from "react-router";
import styles from "./logo.module.css";
import { markLetter, markOutline } from "./mark.ts";

/** The site's stamp and name, leading to the first page or to `to`. */
export function Logo({ name, to = "/" }: { name: string; to?: string }) {
  return (
    <Link to={to} className={styles.logo}>
      <Stamp size={28} />
      <span className={styles.name}>{name}</span>
    </Link>
  );
}

/** The stamp alone, as a picture without words. */
export function Stamp({ size }: { size: number }) {
  return (
    <svg className={styles.stamp} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={markOutline} />
      <path className={styles.letter} d={markLetter} />
    </svg>
  );
}
