import { notFound, type Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const kyc: Texts = {
  "kyc/not-found": notFound,
  "kyc/already-decided": decided,
  "kyc/documents-not-viewed":
    "You have not looked at every document yet. An approval rests on each of them.",
  "kyc/checklist-incomplete": "Some questions are not answered as this decision needs.",
  "kyc/reason-missing":
    "Give the reason that the customer reads, for at least one part (at most 500 characters).",
  "kyc/reviewed-by-you": "You have approved this already. The second decision is a colleague's.",
  "kyc/second-review-asked": meanwhile("Two verifiers must approve this already."),
};
