import { randomUUIDv7 } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Permission } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { slugMaxLength, slugPattern } from "#core/text/slug.ts";
import { and, desc, eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import {
  type ContentBody,
  type ContentKind,
  unknownNamesIn,
  type VersionState,
} from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { contentPieces, contentVersions } from "./schema.ts";

export type ContentEdit = ContentBody & {
  slug: string;
  /** What the editor saw when beginning to type; 0: nothing, or the text as delivered. */
  seenVersion: number;
  state: VersionState;
  /** Minted with the form of a new piece: however often the form arrives, it is one piece. Null: it exists. */
  newId: string | null;
};

/**
 * Adds a version to a piece: as a draft, published, or withdrawn from the site. Earlier versions stay.
 * Saving again what the newest version says changes nothing and writes nothing.
 *
 * Locks the kind: of two who save, the second sees what the first did.
 *
 * @throws Refusal `content/changed-meanwhile`, `content/slug-taken`, `content/unknown-placeholder`,
 * `content/not-a-slug`, `content/not-found`
 */
export async function saveContent(
  db: Db,
  operator: ActingOperator,
  edit: ContentEdit,
  now: Date,
): Promise<{ slug: string; version: number }> {
  if (unknownNamesIn(edit).length > 0) throw new Refusal("content/unknown-placeholder");
  if (!isSlug(edit)) throw new Refusal("content/not-a-slug");
  return db.transaction(async (tx) => {
    await lockContent(tx, edit.kind);
    const newest = await findNewest(tx, edit);
    if (newest && saysTheSame(newest, edit)) return newest;
    if ((newest?.version ?? 0) !== edit.seenVersion) throw new Refusal("content/changed-meanwhile");
    const slug = newest?.slug ?? edit.slug;
    const act = {
      act: acts[edit.state],
      subject: `content:${edit.kind}/${slug}`,
      detail: { version: edit.seenVersion + 1 },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      addVersion(inner, edit, auditId, now),
    );
    return { slug, version: edit.seenVersion + 1 };
  });
}

const acts: Record<VersionState, Permission> = {
  draft: "content/save-draft",
  published: "content/publish",
  withdrawn: "content/withdraw",
};

/** `new` is the address where a new piece is written; there is one company. */
function isSlug({ kind, slug }: ContentEdit): boolean {
  if (kind === "company") return slug === "company";
  return slugPattern.test(slug) && slug.length <= slugMaxLength && slug !== "new";
}

/** Until the transaction's end nobody else changes texts of this kind. */
export async function lockContent(tx: Tx, kind: ContentKind): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`content:${kind}`}))`);
}

async function findNewest(tx: Tx, { kind, slug, newId }: ContentEdit) {
  const [newest] = await tx
    .select({
      slug: contentPieces.slug,
      version: contentVersions.version,
      state: contentVersions.state,
      body: contentVersions.body,
    })
    .from(contentPieces)
    .innerJoin(contentVersions, eq(contentVersions.pieceId, contentPieces.id))
    .where(
      and(
        eq(contentPieces.kind, kind),
        newId === null ? eq(contentPieces.slug, slug) : eq(contentPieces.id, newId),
      ),
    )
    .orderBy(desc(contentVersions.version))
    .limit(1);
  return newest ?? null;
}

/** The same form, sent once more. */
function saysTheSame(
  newest: { version: number; state: VersionState; body: unknown },
  edit: ContentEdit,
): boolean {
  const isRepeat = [newest.version, newest.version - 1].includes(edit.seenVersion);
  return isRepeat && newest.state === edit.state && isDeepStrictEqual(newest.body, edit.body);
}

async function addVersion(tx: Tx, edit: ContentEdit, auditId: string, now: Date): Promise<void> {
  const pieceId = await findOrAddPiece(tx, edit, auditId, now);
  await tx.insert(contentVersions).values({
    pieceId,
    kind: edit.kind,
    version: edit.seenVersion + 1,
    state: edit.state,
    body: { ...edit.body },
    actId: auditId,
    createdAt: now,
  });
}

async function findOrAddPiece(
  tx: Tx,
  edit: ContentEdit,
  auditId: string,
  now: Date,
): Promise<string> {
  const { kind, slug, newId } = edit;
  const [piece] = await tx
    .select({ id: contentPieces.id })
    .from(contentPieces)
    .where(
      newId !== null && edit.seenVersion > 0
        ? eq(contentPieces.id, newId)
        : and(eq(contentPieces.kind, kind), eq(contentPieces.slug, slug)),
    );
  const isDelivered = kind === "faq" && defaultFaq.some((entry) => entry.slug === slug);
  if (newId !== null && (isDelivered || (piece && piece.id !== newId)))
    throw new Refusal("content/slug-taken");
  if (piece) return piece.id;
  if (newId === null && !isDelivered && kind !== "company") throw new Refusal("content/not-found");
  const id = newId ?? randomUUIDv7();
  const position = await placeOf(tx, edit);
  const made = { id, kind, slug, position, createdAt: now, createdByAct: auditId };
  await tx.insert(contentPieces).values(made);
  return id;
}

/** A delivered entry keeps its place; a new one comes last. */
async function placeOf(tx: Tx, { kind, slug }: ContentEdit): Promise<number> {
  if (kind !== "faq") return 0;
  const delivered = defaultFaq.findIndex((entry) => entry.slug === slug);
  if (delivered >= 0) return delivered + 1;
  const [last] = await tx
    .select({ position: sql<number>`coalesce(max(${contentPieces.position}), 0)::int` })
    .from(contentPieces)
    .where(eq(contentPieces.kind, kind));
  return Math.max(last?.position ?? 0, defaultFaq.length) + 1;
}
