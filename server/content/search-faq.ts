import { type Found, findMatches } from "#core/text/faq-search.ts";
import { parseFormatted, plainText } from "#core/text/formatted-text.ts";
import type { Db } from "../platform/database.ts";
import { memoizeFor } from "../platform/memoize-for.ts";
import { type FaqEntry, listFaqEntries } from "./list-faq-entries.ts";

/** Which of the questions a search finds, by their places. */
export function searchFaq(entries: FaqEntry[], search: string): Found {
  return findMatches(textsOf(entries), search);
}

/** What a search finds, as a short text: searches with the same text are answered with the same page, but for their own words. */
export async function resultOfFaqSearch(db: Db, search: string, now: Date): Promise<string> {
  const { places, isWhole } = findMatches(await readTexts(db, null, now), search);
  return `${places.join()} ${isWhole}`;
}

function textsOf(entries: FaqEntry[]): string[] {
  return entries.map(
    ({ question, answer, synonyms }) =>
      `${question}\n${plainText(parseFormatted(answer))}\n${synonyms}`,
  );
}

const readTexts = memoizeFor(
  1_000,
  () => "all",
  async (db: Db, _: null) => textsOf(await listFaqEntries(db)),
);
