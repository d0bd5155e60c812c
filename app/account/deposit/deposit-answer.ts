/** What the slip form is told. */
export type DepositAnswer =
  | {
      kind: "saved" | "refused";
      reply: FormReply;
      /** The key of the next submission: the same after a refusal, a fresh one after a success. */
      submissionKey: string;
      /** A slip that was kept although the form was refused: it need not be chosen again. */
      slip: { slipId: string; name: string } | null;
    }
  /** The session ended while the form was filled in. */
  | { kind: "signed-out" }
  /** No one knows whether it arrived. Sending it again is safe. */
  | { kind: "failed" };

export const savedText = "Successfully saved";
export const invalidText = "Invalid input. Please try again.";

import type { FormReply } from "#app/ui/forms/parse-form.ts";
