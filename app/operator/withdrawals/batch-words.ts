import type { AbandonmentState, BatchState, PaymentOutcome } from "#core/payments/withdrawal.ts";

const words: Record<BatchState, string> = {
  formed: "To sign",
  broadcast: "Sent",
  settled: "Confirmed on chain",
  failed: "Overtaken",
};

interface ShownBatch {
  state: BatchState;
  endedAt: Date | null;
  ending: AbandonmentState | null;
  /** Of the version that was built last. */
  isSigned: boolean;
  isOrdered: boolean;
}

/** A batch's state in a word, and its tone; two people may end it, or be about to. */
export function stateOfBatch({ state, endedAt, ending, isSigned, isOrdered }: ShownBatch) {
  if (ending && endedAt === null) return { status: "Ending proposed", tone: "waiting" as const };
  if (ending && state === "failed") return { status: "Ended by staff", tone: "plain" as const };
  if (state === "formed" && isOrdered) return { status: "Being sent", tone: "waiting" as const };
  if (state === "formed" && isSigned)
    return { status: "Signed, to send", tone: "waiting" as const };
  if (state === "broadcast" && !isOrdered) {
    return {
      status: isSigned ? "Sent, new version to send" : "Sent, new version to sign",
      tone: "waiting" as const,
    };
  }
  return { status: words[state], tone: tones[state] };
}

/** Why what is due does not leave today. */
export const stoppedWords =
  "held, frozen, after a change of sign-in details, while a credit is taken back, or a final payment of an account that is kept";

const tones: Record<BatchState, "good" | "waiting" | "bad"> = {
  formed: "waiting",
  broadcast: "waiting",
  settled: "good",
  failed: "bad",
};

/** What became of a payment on Ethereum. */
export const outcomeWords: Record<PaymentOutcome, string> = {
  paid: "paid",
  undelivered: "did not arrive, as two people found",
  reverted: "refused by the chain",
  voided: "left out",
  overtaken: "its nonce was used elsewhere",
  abandoned: "its batch was ended before it was signed",
};
