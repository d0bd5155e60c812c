import { Link } from "react-router";
import { markLetter, markOutline } from "../browser/mark.ts";
import styles from "./logo.module.css";

interface LogoProps {
  name: string;
  /** Where it leads: the first page unless said otherwise. */
  to?: string;
  /** Class of the name, for places that show the stamp alone. */
  nameClass?: string | undefined;
}

/** The site's stamp and name. */
export function Logo({ name, to = "/", nameClass = "" }: LogoProps) {
  return (
    <Link to={to} reloadDocument={to === "/"} className={styles.logo}>
      <Stamp size={28} />
      <span className={`${styles.name} ${nameClass}`}>{name}</span>
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
