const texts: Record<string, string> = {
  "verification/documents-not-viewed":
    "You have not looked at every document yet. An approval rests on each of them.",
  "verification/checklist-incomplete": "Some questions are not answered as this decision needs.",
  "verification/reason-missing":
    "Give the reason that the customer reads, for at least one part (at most 500 characters).",
  "verification/reviewed-by-you":
    "You have approved this already. The second decision is a colleague's.",
  "verification/second-review-asked": "Two verifiers must approve this already.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
  "identity/not-permitted": "Your role may not do this any more. Nothing was done.",
};

/** Why a decision was not taken. */
export function refusalText(code: string): string {
  return texts[code] ?? "This was refused. Nothing was decided.";
}
