import { termWords } from "../term-words.ts";

/**
 * The numbers of the terms by the names that texts call them: `{minimumWithdrawal}` is "0.0007 BTC".
 * Whoever edits a text can move the name, never the number.
 */
export const placeholders: Readonly<Record<string, string>> = termWords();

const name = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** Puts the numbers into a text. A name that is nobody's stays as it was typed. */
export function fillPlaceholders(text: string): string {
  return text.replace(name, (whole, known: string) => numberOf(known) ?? whole);
}

/** The names in a text that stand for nothing, each once: a text with one is not saved. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(name)].map(([, used = ""]) => used);
  return [...new Set(names.filter((used) => numberOf(used) === undefined))];
}

function numberOf(known: string): string | undefined {
  return Object.hasOwn(placeholders, known) ? placeholders[known] : undefined;
}
