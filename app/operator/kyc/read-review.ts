import { type KycPart, kycParts } from "#core/people/kyc.ts";
import type { CheckedItem, ChecklistItem } from "#server/kyc/checklist.ts";

/** What a verifier typed, by the name of the field: a refused form shows it again. */
type Typed = Record<string, string>;

interface ReadReview {
  checklist: CheckedItem[];
  reasons: Partial<Record<KycPart, string>>;
  typed: Typed;
}

/** What the page says after a form was refused. */
export interface ReviewAnswer {
  form: "review" | "second-review";
  typed: Typed;
  faults: Record<string, string>;
  errors: string[];
}

/** Reads the form of a review. Questions without an answer are left out. */
export function readReview(form: FormData, items: ChecklistItem[]): ReadReview {
  const typed: Typed = {};
  const take = (name: string): string => {
    const value = form.get(name);
    const text = typeof value === "string" ? value.replaceAll("\0", "").slice(0, 500) : "";
    if (text !== "") typed[name] = text;
    return text;
  };
  const checklist = items.flatMap(({ item }) => {
    const answer = take(`answer-${item}`);
    const note = take(`note-${item}`).trim();
    return answer === "yes" || answer === "no" ? [{ item, yes: answer === "yes", note }] : [];
  });
  const reasons: ReadReview["reasons"] = {};
  for (const part of kycParts) {
    const reason = take(`reason-${part}`).trim();
    if (reason !== "") reasons[part] = reason;
  }
  return { checklist, reasons, typed };
}

/** What is wrong with the answers for an approval, or for a decline, by the question. */
export function faultsOf(
  { checklist }: ReadReview,
  items: ChecklistItem[],
  verdict: "approve" | "decline",
): Record<string, string> {
  const answers = new Map(checklist.map((each) => [each.item, each]));
  const faults: Record<string, string> = {};
  for (const { item } of items) {
    const answer = answers.get(item);
    if (!answer) faults[item] = "Answer this question";
    else if (!answer.yes && verdict === "approve") faults[item] = "An approval needs a yes";
    else if (!answer.yes && answer.note === "") faults[item] = "Say in a note what is wrong";
  }
  return faults;
}
