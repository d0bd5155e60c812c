import type { FaqGroup } from "#core/text/faq-groups.ts";
import { fillPlaceholders } from "#core/text/placeholders.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { FaqBody } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { listFaqForConsole } from "./list-pieces.ts";

/** A question with its answer in simple formatting, the numbers of the terms filled in. */
export interface FaqEntry extends FaqBody {
  /** `/faq#slug` opens it. */
  slug: string;
  group: FaqGroup;
  /** Words that find it and that it does not use. */
  synonyms: string;
}

/** The published questions, in their order: as delivered until an operator writes them anew. */
export async function listFaqEntries(db: Db | Tx): Promise<FaqEntry[]> {
  const entries = await listFaqForConsole(db);
  return entries.flatMap(({ slug, live }) => {
    if (!live) return [];
    const { group = "more", synonyms = "" } = defaultFaq.find((each) => each.slug === slug) ?? {};
    const question = fillPlaceholders(live.question);
    return [{ slug, question, answer: fillPlaceholders(live.answer), group, synonyms }];
  });
}
