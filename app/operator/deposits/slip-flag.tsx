import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import styles from "../parts/console-list.module.css";

interface SlipFlagProps {
  slipMediaType: "image/jpeg" | "application/pdf";
  sameFileCount: number;
}

/** What is known of a slip at a glance: picture or PDF, and whether it was used before. */
export function SlipFlag({ slipMediaType, sameFileCount }: SlipFlagProps) {
  if (sameFileCount > 0) return <StatusBadge status="same file used" tone="bad" />;
  const kind = slipMediaType === "application/pdf" ? "PDF" : "Picture";
  return <span className={styles.second}>{kind}</span>;
}
