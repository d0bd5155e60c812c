import { asc, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { ContentKind } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { contentPieces } from "./schema.ts";

const p = contentPieces;

/** A free name for a new announcement or question. */
export async function findFreeSlug(
  db: Db | Tx,
  kind: ContentKind,
  wanted: string,
): Promise<string> {
  const taken = await db
    .select({ slug: p.slug })
    .from(p)
    .where(eq(p.kind, kind))
    .orderBy(asc(p.slug));
  const used = new Set([
    "",
    "new",
    ...taken.map(({ slug }) => slug),
    ...(kind === "faq" ? defaultFaq.map(({ slug }) => slug) : []),
  ]);
  const base = wanted.slice(0, 70).replace(/-+$/, "") || kind;
  if (!used.has(base)) return base;
  for (let count = 2; ; count += 1) {
    if (!used.has(`${base}-${count}`)) return `${base}-${count}`;
  }
}
