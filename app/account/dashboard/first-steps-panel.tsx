import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Check, Clock } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import styles from "./first-steps.module.css";
import type { FirstStep } from "./first-steps.ts";

/** What a new customer does first, what each step takes and why; the first open one has the button. */
export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone, waits }) => !isDone && !waits);
  return (
    <Panel
      title="Get started"
      aside={
        <p className={styles.count}>
          {done} of {steps.length} done
        </p>
      }
      flush
    >
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === next} />
        ))}
      </ol>
    </Panel>
  );
}

function Step({ step, isNext }: { step: FirstStep; isNext: boolean }) {
  const { title, isDone, waits } = step;
  const state = isDone ? "done" : waits ? "waits" : "open";
  return (
    <li className={styles.step} data-state={state}>
      <span className={styles.mark} aria-hidden="true">
        {marks[state]}
      </span>
      <div>
        <p className={styles.title}>
          {title}
          {isDone ? <VisuallyHidden>: done</VisuallyHidden> : null}
        </p>
        <StepNote step={step} />
      </div>
      {state === "open" ? <Way step={step} isNext={isNext} /> : null}
    </li>
  );
}

const marks = { done: <Check size={16} />, waits: <Clock size={16} />, open: null };

function StepNote({ step: { isDone, waits, why, takes } }: { step: FirstStep }) {
  if (waits) {
    return (
      <p className={styles.note}>
        {waits.words} {waits.until ? <When at={waits.until} plain /> : null}
      </p>
    );
  }
  return isDone ? null : (
    <p className={styles.note}>
      {why} Takes {takes}.
    </p>
  );
}

function Way({ step: { action }, isNext }: { step: FirstStep; isNext: boolean }) {
  const { to, label, elsewhere = false } = action;
  return isNext ? (
    <ButtonLink to={to} reloadDocument={elsewhere}>
      {label}
    </ButtonLink>
  ) : (
    <Link to={to} reloadDocument={elsewhere} className={styles.action}>
      {label}
    </Link>
  );
}
