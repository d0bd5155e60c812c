import { fileRefusalWords, type RefusalWords } from "#app/ui/file-refusal-words.ts";

/** Why a slip that is whole cannot be used. */
const slipRefusals: Record<string, RefusalWords> = {
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
  return slipRefusals[code] ?? fileRefusalWords(code, "slip");
}

export const keyReusedWords =
  "This form was already sent with other content, and that deposit stands in the table below. If this is another payment, submit it again.";

/** Said where a slip comes for a coin whose payments are credited from the chain, or that is not offered. */
export const noSlipNeeded =
  "We do not take slips for this method. Payments to your own address are credited automatically.";
