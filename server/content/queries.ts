import { formatAmount } from "#core/money.ts";
import type { Network } from "#core/payments/address.ts";
import type { FaqGroup } from "#core/text/faq-groups.ts";
import { fillPlaceholders } from "#core/text/placeholders.ts";
import { and, asc, desc, eq, isNotNull, isNull, ne, or, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import {
  type AnnouncementBody,
  type Company,
  type ContentKind,
  emptyCompany,
  type FaqBody,
  type VersionState,
} from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { contentPieces, contentVersions, testimonialConsents, testimonials } from "./schema.ts";
import { sampleTestimonials, type Testimonial, type TestimonialState } from "./testimonial.ts";

const p = contentPieces;
const v = contentVersions;
const t = testimonials;
const c = testimonialConsents;
const consented = {
  consentId: c.id,
  words: c.words,
  shownName: c.shownName,
  role: c.role,
  image: c.image,
  agreedAt: c.agreedAt,
};

/** The operator's company as published. What is not known is an empty text, and not shown. */
export async function getCompany(db: Db | Tx): Promise<Company> {
  const [company] = await listLive(db, "company");
  return { ...emptyCompany, ...(company?.body as Partial<Company> | undefined) };
}

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

/** What the operator announces, the numbers of the terms filled in. */
export interface Announcement {
  id: string;
  /** `/news#slug` leads to it. */
  slug: string;
  title: string;
  text: string;
  publishedAt: Date;
  /** When these words were written. */
  updatedAt: Date;
  pinned: boolean;
}

/** What is announced at this moment: pinned first, then the newest. */
export async function listAnnouncements(
  db: Db | Tx,
  { limit, now }: { limit: number; now: Date },
): Promise<Announcement[]> {
  const live = (await listLive(db, "announcement")).map(asAnnouncement);
  const byRank = (a: ListedAnnouncement, b: ListedAnnouncement) =>
    Number(b.pinned) - Number(a.pinned) || b.publishedAt.getTime() - a.publishedAt.getTime();
  return live
    .filter(({ publishedAt, expiresAt }) => publishedAt <= now && (!expiresAt || expiresAt > now))
    .sort(byRank)
    .slice(0, limit)
    .map(({ expiresAt: _, ...shown }) => shown);
}

type ListedAnnouncement = Announcement & { expiresAt: Date | null };

function asAnnouncement({ pieceId, slug, body, createdAt }: Live): ListedAnnouncement {
  const { title, text, publishedAt, expiresAt, pinned } = body as unknown as AnnouncementBody;
  const shownFrom = new Date(publishedAt);
  return {
    id: pieceId,
    slug,
    title: fillPlaceholders(title),
    text: fillPlaceholders(text),
    publishedAt: shownFrom,
    updatedAt: createdAt > shownFrom ? createdAt : shownFrom,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    pinned,
  };
}

type Live = Awaited<ReturnType<typeof listLive>>[number];

/** Of every piece the newest version that is no draft, if that is published. */
async function listLive(db: Db | Tx, kind: ContentKind) {
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

/** What the carousel shows. */
export interface Carousel {
  slides: readonly Testimonial[];
  /** Whether nobody said them: then every slide says so. */
  areSamples: boolean;
}

/**
 * The newest three published testimonials. A fresh site shows samples; a live one never does: not on
 * mainnet, and not anywhere once a real one has been published.
 */
export async function listTestimonials(
  db: Db | Tx,
  { network }: { network: Network },
): Promise<Carousel> {
  const published = await db
    .select({
      id: t.id,
      name: c.shownName,
      role: c.role,
      text: c.words,
      image: c.image,
      units: t.netResultUnits,
      asset: t.netResultAsset,
    })
    .from(t)
    .innerJoin(c, eq(c.id, t.publishedConsentId))
    // What was published before contracts were sold needs its evidence now.
    .where(and(isNull(c.endedAt), or(isNotNull(t.contractId), sql`not contracts_are_sold()`)))
    .orderBy(desc(t.publishedAt), desc(t.id))
    .limit(slidesShown);
  if (published.length === 0 && network !== "mainnet" && !(await wasEverPublished(db))) {
    return { slides: sampleTestimonials, areSamples: true };
  }
  const slides = published.map(({ units, asset, ...slide }) => ({
    ...slide,
    result: units !== null && asset !== null ? netResult(units, asset) : null,
  }));
  return { slides, areSamples: false };
}

/** The specification's carousel has three slides. */
const slidesShown = 3;

/** A loss is told as plainly as a gain: by sign and by word. */
function netResult(units: bigint, asset: "BTC" | "ETH" | "USDT"): string {
  const word = units < 0n ? "Net loss" : "Net result";
  return `${word}: ${units > 0n ? "+" : ""}${formatAmount(units, asset)} ${asset}`;
}

async function wasEverPublished(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: t.id }).from(t).where(isNotNull(t.publishedByAct)).limit(1);
  return found.length > 0;
}

/** Whether anybody ever bought a contract: the journal knows. From then on publishing needs evidence of one. */
export async function contractsAreSold(db: Db | Tx): Promise<boolean> {
  const { rows } = await db.execute<{ sold: boolean }>(sql`select contracts_are_sold() as sold`);
  return rows[0]?.sold === true;
}

/** A customer's own open invitation, with what he agreed to; null when nobody asks. */
export async function findOwnTestimonial(db: Db | Tx, customerId: string) {
  const [own] = await db
    .select({
      id: t.id,
      invitation: t.invitation,
      invitedAt: t.invitedAt,
      publishedAt: t.publishedAt,
      ...consented,
    })
    .from(t)
    .leftJoin(c, and(eq(c.testimonialId, t.id), isNull(c.endedAt)))
    .where(and(eq(t.customerId, customerId), isNull(t.withdrawnAt), isNull(t.declinedAt)));
  return own ?? null;
}

// What follows is for staff.

/** A customer agreed to words that we have not published yet, or took off the site. */
const isToRead = and(
  isNotNull(c.id),
  isNull(t.publishedConsentId),
  isNull(t.withdrawnAt),
  isNull(t.declinedAt),
  isNull(t.unpublishedByAct),
);

/** Testimonials, the newest invitation first, each with the words that count now; all, or those to read. */
export async function listTestimonialsForConsole(
  db: Db | Tx,
  { toRead = false, limit = 200 }: { toRead?: boolean; limit?: number } = {},
) {
  const rows = await selectTestimonials(db)
    .where(toRead ? isToRead : undefined)
    .orderBy(desc(t.invitedAt), desc(t.id))
    .limit(limit);
  return rows.map(withState);
}

/** One testimonial with all words that its customer ever agreed to, newest first; null when there is none. */
export async function findTestimonialForConsole(db: Db | Tx, id: string) {
  const [row] = await selectTestimonials(db).where(sql`${t.id}::text = ${id}`);
  if (!row) return null;
  const consents = await db
    .select()
    .from(c)
    .where(eq(c.testimonialId, row.id))
    .orderBy(desc(c.agreedAt), desc(c.id));
  return { ...withState(row), consents };
}

function selectTestimonials(db: Db | Tx) {
  return db
    .select({
      id: t.id,
      customerId: t.customerId,
      customerName: users.name,
      customerEmail: users.email,
      invitation: t.invitation,
      invitedAt: t.invitedAt,
      declinedAt: t.declinedAt,
      withdrawnAt: t.withdrawnAt,
      publishedAt: t.publishedAt,
      publishedConsentId: t.publishedConsentId,
      ...consented,
      wasRevoked: sql<boolean>`exists (select from testimonial_consents e where e.testimonial_id = ${t.id} and e.ended_by = 'revoked')`,
    })
    .from(t)
    .innerJoin(users, eq(users.id, t.customerId))
    .leftJoin(c, and(eq(c.testimonialId, t.id), isNull(c.endedAt)))
    .$dynamic();
}

type TestimonialRow = Awaited<ReturnType<typeof selectTestimonials>>[number];
export type ListedTestimonial = TestimonialRow & { state: TestimonialState };

function withState(row: TestimonialRow): ListedTestimonial {
  return { ...row, state: stateOf(row) };
}

function stateOf(row: TestimonialRow): TestimonialState {
  if (row.withdrawnAt) return "withdrawn";
  if (row.declinedAt) return "declined";
  if (row.publishedConsentId) return "published";
  if (row.consentId) return "agreed";
  return row.wasRevoked ? "revoked" : "invited";
}

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

function deliveredVersion(kind: ContentKind, slug: string): ContentVersion | null {
  const entry = kind === "faq" ? defaultFaq.find((each) => each.slug === slug) : undefined;
  if (!entry) return null;
  const { question, answer } = entry;
  return { version: 0, state: "published", body: { question, answer }, at: null, author: null };
}

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
