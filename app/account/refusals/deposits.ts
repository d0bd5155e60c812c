import { conflict, type Texts } from "#app/run-act.ts";
import { fileRefusals, type RefusalWords } from "#app/ui/forms/file-refusal-words.ts";
import { maxWaitingClaims } from "#core/payments/deposit.ts";

/** Why a slip that is whole cannot be used. */
const slipTexts: Record<string, RefusalWords> = {
  ...fileRefusals("slip"),
  "deposits/slip-not-found": {
    text: "The uploaded slip is no longer there. Please choose it again.",
    status: 400,
  },
  "deposits/slip-already-used": {
    text: "This slip belongs to a deposit already. Please choose the slip of this payment.",
    status: 400,
  },
};

/** Says why a slip was refused; undefined when the code is about something else. */
export function slipRefusalWords(code: string): RefusalWords | undefined {
  return slipTexts[code];
}

export const keyReusedWords =
  "You already submitted this form with different details. That deposit is in the table below. If this is another payment, submit it again.";

/** Said where a slip comes for a coin whose payments are credited from the chain, or that is not offered. */
export const noSlipNeeded =
  "We do not take slips for this method. Payments to your own address are credited automatically.";

/** Why a deposit with a slip was not declared. */
export const deposits: Texts = {
  ...Object.fromEntries(
    Object.entries(slipTexts).map(([code, said]) => [code, { ...said, field: "slip" }]),
  ),
  "deposits/submission-key-reused": conflict(keyReusedWords),
  "deposits/account-closed": { text: "Your account is closed.", status: 403 },
  "deposits/too-many-waiting": conflict(
    `${maxWaitingClaims} of your deposits wait for review, the most that can. You can declare another one when we have reviewed some.`,
  ),
};
