import type { Letter } from "../platform/mail/layout.ts";

/** What a letter about mining says of its own; the rest is the same in all of them. */
export type MiningLetter = Omit<Letter, "template" | "greeting" | "because" | "action"> &
  Partial<Pick<Letter, "because" | "action">>;
