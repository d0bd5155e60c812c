/** How the picture beside a testimonial looks: the letters of the shown name, or nothing. No photographs. */
export const testimonialImages = ["initials", "none"] as const;
export type TestimonialImage = (typeof testimonialImages)[number];

export const testimonialLimits = { wordsMin: 20, words: 600, role: 80, invitation: 1000 } as const;

/** A slide of the carousel. */
export interface Testimonial {
  id: string;
  name: string;
  role: string;
  text: string;
  image: TestimonialImage;
  /** What the contract had brought when this was published, in words; null: none is shown. */
  result: string | null;
}

/** Where a testimonial stands. */
export const testimonialStates = [
  "invited",
  "agreed",
  "published",
  "revoked",
  "declined",
  "withdrawn",
] as const;
export type TestimonialState = (typeof testimonialStates)[number];

/** What a contract had really brought: the evidence that publishing needs as soon as contracts are sold. */
export interface ContractEvidence {
  contractId: string;
  netResultUnits: bigint;
  netResultAsset: "BTC" | "ETH" | "USDT";
}

/** What stands in the carousel of a fresh site, marked Sample on every slide. No person said it. */
export const sampleTestimonials: readonly Testimonial[] = [
  {
    id: "sample-1",
    name: "Name of the customer",
    role: "Role, as the customer gives it",
    text: "A customer's own words will stand here, after that customer has seen them exactly as they will be shown and agreed.",
    image: "none",
    result: null,
  },
  {
    id: "sample-2",
    name: "Name in the form the customer chose",
    role: "",
    text: "Nobody has said this. Slides like this one fill the place until the first real one is published, and then they are gone for good.",
    image: "none",
    result: null,
  },
  {
    id: "sample-3",
    name: "Name of the customer",
    role: "With the net result of the contract",
    text: "A real slide will also show what its contract has brought after fees, a loss as plainly as a gain. A customer can take the words back at any time.",
    image: "none",
    result: null,
  },
];
