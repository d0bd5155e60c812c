import type { PartName } from "./schemas.ts";

/** The pages of the profile, in their order. Security is a page of its own next to them. */
export const sections = {
  you: { name: "You", path: "/account/profile" },
  emails: { name: "E-mails", path: "/account/profile/emails" },
  display: { name: "Display", path: "/account/profile/display" },
  data: { name: "Data", path: "/account/profile/data" },
} as const;
export type Section = keyof typeof sections;

const sectionOfPart: Record<PartName, Section> = {
  names: "you",
  phone: "you",
  email: "you",
  phrase: "emails",
  notices: "emails",
  digest: "emails",
  reading: "display",
  currency: "display",
};

/** Where a form of the profile is: its page, and the place on it. */
export function placeOf(part: PartName | "data"): string {
  if (part === "data") return `${sections.data.path}#data`;
  return `${sections[sectionOfPart[part]].path}#part-${part}`;
}

export function sectionAt(pathname: string): Section {
  const found = Object.entries(sections).find(([, { path }]) => path === pathname);
  return (found?.[0] ?? "you") as Section;
}
