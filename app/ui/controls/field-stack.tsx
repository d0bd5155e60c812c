import type { ReactNode } from "react";
import styles from "./fields.module.css";

/** Fields below each other. `start`: none wider than it must be. */
export function FieldStack({ start = false, children }: { start?: boolean; children: ReactNode }) {
  return <div className={`${styles.stack} ${start ? styles.start : ""}`}>{children}</div>;
}
