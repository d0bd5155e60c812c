import { TextArea } from "#app/ui/controls/text-area.tsx";
import { PlainForm } from "../parts/act-form.tsx";
import { Folded } from "../parts/folded.tsx";
import { useMay } from "../parts/use-may.ts";
import type { ReviewAnswer } from "./read-review.ts";

/** Folded away until it is wanted: what makes this a case for two verifiers. */
export function SecondReviewForm({ answer }: { answer: ReviewAnswer | undefined }) {
  const may = useMay();
  if (!may("kyc/ask-second-review")) return null;
  return (
    <Folded title="Ask for a second verifier" look="card" open={Boolean(answer)}>
      <PlainForm
        intent="second-review"
        fault={answer?.errors.join(" ")}
        button="Ask for a second verifier"
        tone="plain"
      >
        <TextArea
          label="Reason"
          description="For colleagues, not for the customer. It cannot be taken back: two must approve then"
          name="reason"
          defaultValue={answer?.typed["reason"] ?? ""}
          maxLength={500}
          rows={2}
        />
      </PlainForm>
    </Folded>
  );
}
