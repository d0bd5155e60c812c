import {
  type IdentityKind,
  identityKinds,
  type KycPart,
  type SecondProof,
} from "#core/people/kyc.ts";

/** What a verifier looks at, as a question whose good answer is yes. */
export interface ChecklistItem {
  item: string;
  part: KycPart;
  question: string;
}

/** An answer, with a note where it is no. */
export interface CheckedItem {
  item: string;
  yes: boolean;
  note: string;
}

const details: ChecklistItem[] = [
  {
    item: "name-matches",
    part: "personal-details",
    question: "Is the legal name the one on the document?",
  },
  {
    item: "birthday-matches",
    part: "personal-details",
    question: "Is the date of birth the one on the document?",
  },
  {
    item: "address-plausible",
    part: "personal-details",
    question: "Is the address a real one in the stated country?",
  },
];

const front: ChecklistItem[] = [
  {
    item: "document-whole",
    part: "identity-front",
    question: "Is it the kind of document that was named, whole and readable?",
  },
  {
    item: "document-in-force",
    part: "identity-front",
    question: "Is it in force, with the expiry date that was stated?",
  },
  {
    item: "document-unaltered",
    part: "identity-front",
    question: "Is it free of signs of alteration?",
  },
];

const back: ChecklistItem = {
  item: "back-belongs",
  part: "identity-back",
  question: "Is the back readable, and of the same document?",
};

const second: Record<SecondProof, ChecklistItem[]> = {
  selfie: [
    {
      item: "face-matches",
      part: "selfie",
      question: "Is the person in the photo the one on the document?",
    },
    {
      item: "same-document",
      part: "selfie",
      question: "Does the person hold the same document?",
    },
  ],
  "proof-of-address": [
    {
      item: "address-matches",
      part: "proof-of-address",
      question: "Does it name the customer and the stated address?",
    },
    {
      item: "proof-recent",
      part: "proof-of-address",
      question: "Is it from the last three months, by a utility, a bank or an authority?",
    },
  ],
};

/** The questions that a submission asks of each verifier. */
export function checklistFor(submission: {
  identityKind: IdentityKind;
  secondProof: SecondProof;
}): ChecklistItem[] {
  const { hasBack } = identityKinds[submission.identityKind];
  return [...details, ...front, ...(hasBack ? [back] : []), ...second[submission.secondProof]];
}

/** Whether every question is answered, each no with a note. */
export function isAnswered(items: ChecklistItem[], checked: CheckedItem[]): boolean {
  const answers = new Map(checked.map((each) => [each.item, each]));
  return items.every(({ item }) => {
    const answer = answers.get(item);
    return answer !== undefined && (answer.yes || answer.note.trim() !== "");
  });
}
