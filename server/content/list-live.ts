import { and, desc, eq, ne } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { ContentKind } from "./content.ts";
import { contentPieces, contentVersions } from "./schema.ts";

const p = contentPieces;

const v = contentVersions;

export type Live = Awaited<ReturnType<typeof listLive>>[number];

/** Of every piece the newest version that is no draft, if that is published. */
export async function listLive(db: Db | Tx, kind: ContentKind) {
  const rows = await db
    .selectDistinctOn([v.pieceId], {
      pieceId: v.pieceId,
      slug: p.slug,
      state: v.state,
      body: v.body,
      createdAt: v.createdAt,
    })
    .from(v)
    .innerJoin(p, eq(p.id, v.pieceId))
    .where(and(eq(v.kind, kind), ne(v.state, "draft")))
    .orderBy(v.pieceId, desc(v.version));
  return rows.filter(({ state }) => state === "published");
}
