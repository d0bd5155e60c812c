import { and, desc, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { ContentKind, FaqBody } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { contentPieces, contentVersions } from "./schema.ts";

const p = contentPieces;

const v = contentVersions;

/** A FAQ entry in the console's list. */
export interface ListedFaqEntry {
  slug: string;
  /** What the newest version says, draft or not. */
  question: string;
  /** What the site shows; null: nothing. */
  live: FaqBody | null;
  /** Whether a draft waits that the site does not show. */
  hasDraft: boolean;
  isDelivered: boolean;
}

/** All questions in their order, also those that the site does not show. */
export async function listFaqForConsole(db: Db | Tx): Promise<ListedFaqEntry[]> {
  const pieces = await listPieces(db, "faq");
  const delivered = defaultFaq.map((entry, index) => {
    const piece = pieces.find(({ slug }) => slug === entry.slug);
    return { place: piece?.position ?? index + 1, ...listed(entry.slug, piece, entry) };
  });
  const own = pieces
    .filter(({ slug }) => !defaultFaq.some((entry) => entry.slug === slug))
    .map((piece) => ({ place: piece.position, ...listed(piece.slug, piece, null) }));
  return [...delivered, ...own]
    .sort((a, b) => a.place - b.place || (a.slug < b.slug ? -1 : 1))
    .map(({ place: _, ...entry }) => entry);
}

function listed(
  slug: string,
  piece: ListedPiece | undefined,
  delivered: FaqBody | null,
): ListedFaqEntry {
  const newest = (piece?.newest?.body ?? delivered) as FaqBody | null;
  const asDelivered = delivered && { question: delivered.question, answer: delivered.answer };
  return {
    slug,
    question: newest?.question ?? slug,
    live: piece?.settled ? liveBody<FaqBody>(piece) : asDelivered,
    hasDraft: piece?.newest?.state === "draft",
    isDelivered: !piece?.newest,
  };
}

function liveBody<Body>({ settled }: ListedPiece): Body | null {
  return settled?.state === "published" ? (settled.body as Body) : null;
}

/** A piece with its newest version, and the newest that is no draft. */
export type ListedPiece = Awaited<ReturnType<typeof listPieces>>[number];

/** All pieces of a kind, newest first, with what stands on the site and what waits as a draft. */
export async function listPieces(db: Db | Tx, kind: ContentKind) {
  const pieces = await db
    .select({ id: p.id, slug: p.slug, position: p.position })
    .from(p)
    .where(eq(p.kind, kind))
    .orderBy(desc(p.createdAt), desc(p.id));
  const versions = await db
    .select({
      pieceId: v.pieceId,
      version: v.version,
      state: v.state,
      body: v.body,
      at: v.createdAt,
    })
    .from(v)
    .where(
      and(
        eq(v.kind, kind),
        sql`(${v.version} = (select max(n.version) from content_versions n where n.piece_id = ${v.pieceId})
          or ${v.version} = (select max(n.version) from content_versions n where n.piece_id = ${v.pieceId} and n.state <> 'draft'))`,
      ),
    )
    .orderBy(desc(v.version));
  return pieces.map((piece) => {
    const own = versions.filter(({ pieceId }) => pieceId === piece.id);
    return {
      ...piece,
      newest: own[0] ?? null,
      settled: own.find(({ state }) => state !== "draft") ?? null,
    };
  });
}
