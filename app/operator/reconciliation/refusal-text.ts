const texts: Record<string, string> = {
  "reconciliation/already-decided": "This was decided while you looked at it.",
  "reconciliation/own-count": "You counted this yourself. Somebody else must decide.",
  "reconciliation/proposer-left":
    "Who counted this is not on the staff any more. Reject it and count yourself.",
  "reconciliation/not-your-count": "Only who counted it can take it back.",
  "reconciliation/reason-missing": "Write the reason.",
  "reconciliation/already-explained": "A colleague has explained this a moment ago.",
  "reconciliation/nothing-to-explain": "There is no difference here.",
  "reconciliation/not-of-the-last-week":
    "A moment of the last seven days that is over. An older count says nothing of today.",
  "reconciliation/amount-out-of-range": "More than there can be. Look at the decimal point.",
  "reconciliation/wallets-missing": "Say in a line which wallets you read, and how.",
  "reconciliation/submission-key-reused":
    "This form was sent already with other content, and that count waits. If this is another one, send it again.",
  "adjustments/evidence-missing": "Choose a picture or a PDF that shows the wallets.",
  "adjustments/evidence-not-found": "The file is no longer there. Choose it again.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
  "identity/not-permitted": "Your role may not do this any more. Nothing was done.",
};

/** Why an act of the reconciliation was refused. */
export function refusalText(code: string): string {
  return texts[code] ?? "This was refused. Nothing was done.";
}
