const refusals: Record<string, string> = {
  "deposits/reason-missing": "Choose what it was, and write why in at most 1,000 characters.",
  "deposits/ruled-already": "A colleague has proposed something for it. Nothing was done.",
  "deposits/credited-already":
    "This payment, or one of those that the proposal names, is credited. A credited payment can only be taken back as the operator's own. Nothing was done; decline the proposal.",
  "deposits/not-approved-by-staff":
    "Only a deposit that staff approved, and that was not taken back, can be taken back like this. Nothing was done.",
  "deposits/approved-together":
    "Staff approved one deposit for several payments of this transaction. Propose on the deposit's page that it was approved by mistake; what is the customer's is then credited by itself.",
  "deposits/own-ruling": "A colleague has to confirm what you proposed.",
  "deposits/proposer-left":
    "Who proposed this is not on the staff any more. Decline it and propose it yourself.",
  "deposits/no-such-ruling": "A colleague decided this while you looked at it.",
  "identity/operator-not-active": "Your right to act was removed a moment ago. Nothing was done.",
  "identity/not-permitted": "Your role no longer allows this. Nothing was done.",
};

/** Why an act on a ruling was refused. */
export function rulingRefusal(code: string): string {
  return refusals[code] ?? "This was refused. Nothing was done.";
}
