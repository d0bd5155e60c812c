import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { listFaqForConsole } from "./list-pieces.ts";
import { lockContent } from "./save-content.ts";
import { contentPieces } from "./schema.ts";

/**
 * Moves a FAQ entry one place up or down among all of them, from the place where the page showed it, the first being 1. At the end
 * of the list, and where it stands in the wanted place already, nothing happens.
 *
 * @throws Refusal `content/not-found`, `content/moved-meanwhile`
 */
export async function moveFaqEntry(
  db: Db,
  operator: ActingOperator,
  move: { slug: string; from: number; by: 1 | -1 },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockContent(tx, "faq");
    const slugs = (await listFaqForConsole(tx)).map(({ slug }) => slug);
    const from = slugs.indexOf(move.slug);
    if (from < 0) throw new Refusal("content/not-found");
    const to = move.from - 1 + move.by;
    if (from === to || to < 0 || to >= slugs.length) return;
    if (from !== move.from - 1) throw new Refusal("content/moved-meanwhile");
    slugs.splice(to, 0, ...slugs.splice(from, 1));
    const act = {
      act: "content/move" as const,
      subject: `content:faq/${move.slug}`,
      detail: { from: from + 1, to: to + 1 },
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      for (const [index, slug] of slugs.entries()) {
        const position = index + 1;
        await inner
          .insert(contentPieces)
          .values({
            id: randomUUIDv7(),
            kind: "faq",
            slug,
            position,
            createdAt: now,
            createdByAct: auditId,
            movedByAct: auditId,
          })
          .onConflictDoUpdate({
            target: [contentPieces.kind, contentPieces.slug],
            set: { position, movedByAct: auditId },
          });
      }
    });
  });
}
