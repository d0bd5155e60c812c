import { and, desc, eq } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { ContentKind, VersionState } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { contentPieces, contentVersions } from "./schema.ts";

const p = contentPieces;

const v = contentVersions;

/** One version of a text, by whom and when. */
export interface ContentVersion {
  version: number;
  state: VersionState;
  body: Record<string, unknown>;
  at: Date | null;
  /** Null: as delivered. */
  author: string | null;
}

/**
 * A piece with every version it ever had, newest first. Null when there is none of that name; a delivered
 * FAQ entry and the company exist before anybody writes them.
 */
export async function findPieceWithHistory(
  db: Db | Tx,
  kind: ContentKind,
  slug: string,
): Promise<{ slug: string; versions: ContentVersion[] } | null> {
  const rows = await db
    .select({
      version: v.version,
      state: v.state,
      body: v.body,
      at: v.createdAt,
      author: users.name,
    })
    .from(v)
    .innerJoin(p, eq(p.id, v.pieceId))
    .innerJoin(auditLog, eq(auditLog.id, v.actId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(and(eq(p.kind, kind), eq(p.slug, slug)))
    .orderBy(desc(v.version));
  const delivered = deliveredVersion(kind, slug);
  if (rows.length === 0 && !delivered && kind !== "company") return null;
  return { slug, versions: delivered ? [...rows, delivered] : rows };
}

/** The name of a piece whose first form brought this id along, or null. */
export async function findSlugOf(db: Db | Tx, newId: string): Promise<string | null> {
  const [piece] = await db.select({ slug: p.slug }).from(p).where(eq(p.id, newId));
  return piece?.slug ?? null;
}

function deliveredVersion(kind: ContentKind, slug: string): ContentVersion | null {
  const entry = kind === "faq" ? defaultFaq.find((each) => each.slug === slug) : undefined;
  if (!entry) return null;
  const { question, answer } = entry;
  return { version: 0, state: "published", body: { question, answer }, at: null, author: null };
}
