import type { ReactNode } from "react";
import { CircleAlert, CircleCheck, type Icon, Info, TriangleAlert } from "#app/ui/icons.tsx";
import styles from "./notice.module.css";

export type NoticeTone = "info" | "success" | "warning" | "error";

const icons: Record<NoticeTone, Icon> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
};

interface NoticeProps {
  tone?: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
  /** `alert` interrupts a screen reader: for what appears after the page stood there. */
  role?: "alert" | "status";
}

/** A banner with a word to the reader. Errors are announced; the rest is read in its place. */
export function Notice({ tone = "info", title, children, role }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      className={`${styles.notice} ${styles[tone]}`}
      role={role ?? (tone === "error" ? "alert" : undefined)}
    >
      <Icon className={styles.icon} size={18} aria-hidden="true" />
      <div className={styles.words}>
        {title ? <div className={styles.title}>{title}</div> : null}
        {children}
      </div>
    </div>
  );
}
