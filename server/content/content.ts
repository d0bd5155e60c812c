import { unknownPlaceholders } from "#core/text/placeholders.ts";

/** What operators write for the site. Testimonials have a life of their own: testimonial.ts. */
export const contentKinds = ["company", "faq", "announcement"] as const;
export type ContentKind = (typeof contentKinds)[number];

export const versionStates = ["draft", "published", "withdrawn"] as const;
export type VersionState = (typeof versionStates)[number];

/** Who runs the site. What is empty is not shown. */
export interface Company {
  name: string;
  /** Register and number. */
  registration: string;
  /** Lines. */
  postalAddress: string;
  email: string;
  phone: string;
  /** Lines. */
  officeHours: string;
}

export interface FaqBody {
  question: string;
  /** In simple formatting, with numbers of the terms by name. */
  answer: string;
}

export interface AnnouncementBody {
  title: string;
  /** In simple formatting, with numbers of the terms by name. */
  text: string;
  /** From when it is shown. ISO 8601. */
  publishedAt: string;
  /** Until when; null: for good. ISO 8601. */
  expiresAt: string | null;
  /** Whether it stands above all others. */
  pinned: boolean;
}

/** A kind with what a version of it holds. */
export type ContentBody =
  | { kind: "company"; body: Company }
  | { kind: "faq"; body: FaqBody }
  | { kind: "announcement"; body: AnnouncementBody };

export const emptyCompany: Company = {
  name: "",
  registration: "",
  postalAddress: "",
  email: "",
  phone: "",
  officeHours: "",
};

export const contentLimits = {
  companyField: 300,
  question: 300,
  title: 200,
  text: 8000,
} as const;

/** The texts of a version in which numbers of the terms may be named. */
export function unknownNamesIn(content: ContentBody): string[] {
  if (content.kind === "company") return [];
  const { body } = content;
  const texts = "question" in body ? [body.question, body.answer] : [body.title, body.text];
  return unknownPlaceholders(texts.join("\n"));
}
