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
  /** What the contract has brought, in words; null: none is shown. */
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

/** What the carousel of a fresh site shows, marked Sample on every slide. No person said it. */
export const sampleTestimonials: readonly Testimonial[] = [
  {
    id: "sample-1",
    name: "Name of the customer",
    role: "Role, as the customer gives it",
    text: "A customer's own words, shown only after that customer has read them here as you would and agreed.",
    image: "none",
    result: null,
  },
  {
    id: "sample-2",
    name: "Name in the form the customer chose",
    role: "",
    text: "No customer has said this. Slides like this one show the place of the first real one, and disappear for good once it is published.",
    image: "none",
    result: null,
  },
  {
    id: "sample-3",
    name: "Name of the customer",
    role: "With the net result of the contract",
    text: "A real slide also shows what its contract earned after fees, a loss as plainly as a gain. The customer can withdraw it at any time.",
    image: "none",
    result: null,
  },
];
