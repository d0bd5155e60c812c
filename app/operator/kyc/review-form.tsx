import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { type KycPart, partNames } from "#core/people/kyc.ts";
import type { ChecklistItem } from "#server/kyc/checklist.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./case.module.css";
import type { ReviewAnswer } from "./read-review.ts";

interface ReviewFormProps {
  checklist: ChecklistItem[];
  parts: KycPart[];
  answer: ReviewAnswer | undefined;
}

/** The checklist, and the decision that rests on it. */
export function ReviewForm({ checklist, parts, answer }: ReviewFormProps) {
  const may = useMay();
  if (!may("kyc/approve")) return null;
  return (
    <Panel title="Checklist and decision">
      <Form method="post" preventScrollReset className={layout.form}>
        <FormAlert errors={answer?.errors} />
        {checklist.map((each, index) => (
          <Question key={each.item} item={each} answer={answer} first={index === 0} />
        ))}
        <fieldset className={styles.reasons}>
          <legend className={styles.legend}>To decline: what is to be done again</legend>
          <p className={styles.muted}>
            The customer reads these words on the page and in a mail. Leave empty what is fine.
          </p>
          {parts.map((part) => (
            <TextArea
              key={part}
              label={partNames[part]}
              name={`reason-${part}`}
              defaultValue={answer?.typed[`reason-${part}`] ?? ""}
              maxLength={500}
              grow
            />
          ))}
        </fieldset>
        <div className={layout.row}>
          <SubmitButton name="intent" value="approve" pendingText="Deciding…">
            Approve
          </SubmitButton>
          <SubmitButton
            name="intent"
            value="decline"
            look="outline"
            tone="brick"
            pendingText="Deciding…"
          >
            Decline and tell the customer
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

interface QuestionProps {
  item: ChecklistItem;
  answer: ReviewAnswer | undefined;
  first: boolean;
}

function Question({ item: { item, question }, answer, first }: QuestionProps) {
  const typed = answer?.typed[`answer-${item}`];
  const fault = answer?.faults[item];
  return (
    <fieldset className={styles.question} data-key={first ? "a" : undefined}>
      <legend className={styles.legend}>{question}</legend>
      <div className={styles.answers}>
        {(["yes", "no"] as const).map((value) => (
          <label key={value} className={styles.radio}>
            <input
              type="radio"
              name={`answer-${item}`}
              value={value}
              defaultChecked={typed === value}
              aria-describedby={fault ? `fault-${item}` : undefined}
            />
            {value === "yes" ? "Yes" : "No"}
          </label>
        ))}
        <TextField
          name={`note-${item}`}
          aria-label={`Note: ${question}`}
          placeholder="Note"
          defaultValue={answer?.typed[`note-${item}`] ?? ""}
          maxLength={500}
          className={styles.note}
        />
      </div>
      {fault ? (
        <p id={`fault-${item}`} className={styles.fault}>
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
}
