import type { ReactNode } from "react";
import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import styles from "./kyc.module.css";
import { type ListedStep, type StepState, stepTitles } from "./step-list.ts";

const tones: Record<StepState, "good" | "waiting" | "bad" | "plain"> = {
  "to do": "plain",
  done: "good",
  declined: "bad",
  accepted: "good",
  submitted: "waiting",
};

interface StepRowProps {
  listed: ListedStep;
  /** What was said or sent. */
  summary: ReactNode;
  /** Its form, where it is the step at hand. */
  form: ReactNode;
  href: string;
}

/** One step: its name, its state, the answer, and its form when it is its turn. */
export function StepRow({ listed, summary, form, href }: StepRowProps) {
  const { step, state, reason, open } = listed;
  const words = state === "done" ? "Change" : "Start";
  return (
    <li className={styles.step} aria-current={form ? "step" : undefined}>
      <div className={styles.head}>
        <h3 className={styles.title}>{stepTitles[step]}</h3>
        <StatusBadge status={state} tone={tones[state]} />
        {open && !form ? (
          <Link
            to={href}
            className={styles.change}
            aria-label={`${words}: ${stepTitles[step]}`}
            preventScrollReset
          >
            {words}
          </Link>
        ) : null}
      </div>
      {summary ? <div className={styles.summary}>{summary}</div> : null}
      {reason ? <p className={styles.reason}>{reason}</p> : null}
      {form ? <div className={styles.form}>{form}</div> : null}
    </li>
  );
}
