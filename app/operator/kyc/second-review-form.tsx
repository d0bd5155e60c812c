import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useMay } from "../parts/use-may.ts";
import styles from "./case.module.css";
import type { ReviewAnswer } from "./read-review.ts";

/** Folded away until it is wanted: what makes this a case for two verifiers. */
export function SecondReviewForm({ answer }: { answer: ReviewAnswer | undefined }) {
  const may = useMay();
  if (!may("kyc/ask-second-review")) return null;
  return (
    <details className={styles.fold} open={Boolean(answer)}>
      <summary className={styles.summary}>Ask for a second verifier</summary>
      <Form method="post" preventScrollReset className={styles.folded}>
        <FormAlert errors={answer?.errors} />
        <TextArea
          label="Reason"
          description="For colleagues, not for the customer. It cannot be taken back: two must approve then"
          name="reason"
          defaultValue={answer?.typed["reason"] ?? ""}
          maxLength={500}
          rows={2}
        />
        <div>
          <SubmitButton name="intent" value="second-review" look="quiet">
            Ask for a second verifier
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
}
