/** The texts that a customer agrees to or is told, in the order in which they are offered. */
export const legalIds = ["terms", "privacy", "disclaimer", "cookies"] as const;
export type LegalId = (typeof legalIds)[number];

/**
 * A text of law as data: drawn as a page, written as plain text, hashed, and compared with its earlier
 * versions. Words may hold links, `[label](/address)`, and names that stand in code, `` `name` ``.
 */
export interface LegalDocument {
  id: LegalId;
  title: string;
  /** Said before the first section. */
  opening: string[];
  sections: LegalSection[];
}

export interface LegalSection {
  /** Its place in an address: /terms#withdrawals. It stays when the section's title or place changes. */
  id: string;
  title: string;
  blocks: LegalBlock[];
}

/** A paragraph, a list, or a table with a head. */
export type LegalBlock = string | { list: string[] } | { head: string[]; rows: string[][] };

/** The sections of a text from `id: [title, ...blocks]`. */
export function sections(of: Record<string, [string, ...LegalBlock[]]>): LegalSection[] {
  return Object.entries(of).map(([id, [title, ...blocks]]) => ({ id, title, blocks }));
}
