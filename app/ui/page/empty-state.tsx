import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawing.tsx";
import styles from "./empty-state.module.css";

interface EmptyStateProps {
  drawing?: DrawingName;
  /** What is not there, and what to do next. */
  children: ReactNode;
  action?: ReactNode;
}

/** In place of an empty list: a drawing, a sentence that says what to do next, an action. */
export function EmptyState({ drawing = "rack", children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.drawing}>
        <Drawing name={drawing} />
      </div>
      <div className={styles.sentence}>{children}</div>
      {action}
    </div>
  );
}
