import { conflict, notFound, type Texts } from "#app/run-act.ts";

export const reconciliation: Texts = {
  "reconciliation/not-found": notFound,
  "reconciliation/already-decided": conflict("A colleague decided this while you looked at it."),
  "reconciliation/own-count":
    "You counted this yourself, so a colleague decides. Nothing was done.",
  "reconciliation/proposer-left":
    "The colleague who counted this has left the staff. Reject it and count yourself.",
  "reconciliation/not-your-count":
    "Only the colleague who counted this can cancel it. Nothing was done.",
  "reconciliation/reason-missing": { field: "reason", text: "Write the reason." },
  "reconciliation/already-explained": "A colleague has explained this a moment ago.",
  "reconciliation/nothing-to-explain": "There is no difference here. Nothing was done.",
  "reconciliation/not-of-the-last-week": {
    field: "asOf",
    text: "A moment of the last seven days that is over. An older count says nothing of today.",
  },
  "reconciliation/amount-out-of-range": {
    field: "amount",
    text: "More than there can be. Check the decimal point.",
  },
  "reconciliation/wallets-missing": {
    field: "wallets",
    text: "Write in a line which wallets you read, and how.",
  },
  "reconciliation/submission-key-reused": conflict(
    "You already submitted this form with other content, and that count waits. If this is another one, send it again.",
  ),
};

/** Where the evidence is of wallets. */
export const countForm: Texts = {
  "adjustments/evidence-missing": {
    field: "evidence",
    text: "Choose a picture or a PDF that shows the wallets.",
  },
};
