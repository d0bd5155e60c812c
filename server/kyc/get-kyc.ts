import type { DocumentPurpose, KycPart, KycState } from "#core/people/kyc.ts";
import { type KycTier, kycTierOf } from "#core/people/kyc-tiers.ts";
import { and, desc, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findResidence, type Residence } from "./list-residences.ts";
import { listDeclined } from "./list-reviews.ts";
import { kycDocuments, kycDrafts, kycSubmissions } from "./schema.ts";
import { type Facts, missingSteps, openSteps } from "./standing.ts";

const d = kycDocuments;

const v = kycSubmissions;

export interface KeptDocument {
  id: string;
  purpose: DocumentPurpose;
  name: string;
  byteSize: number;
  storedAt: Date | null;
}

/** What a customer has uploaded and what counts now, by purpose. */
export function listCurrentDocuments(db: Db | Tx, customerId: string): Promise<KeptDocument[]> {
  return db
    .select({
      id: d.id,
      purpose: d.purpose,
      name: d.originalName,
      byteSize: d.byteSize,
      storedAt: d.storedAt,
    })
    .from(d)
    .where(
      and(
        eq(d.customerId, customerId),
        isNotNull(d.storedAt),
        isNull(d.replacedAt),
        isNull(d.erasingAt),
      ),
    );
}

export interface KycStatus extends Omit<Facts, "declined" | "draft"> {
  residence: Residence | null;
  level: KycTier;
  draft: typeof kycDrafts.$inferSelect | null;
  documents: KeptDocument[];
  /** The last submission, decided or not. */
  submission: {
    id: string;
    submittedAt: Date;
    decidedAt: Date | null;
    validUntil: Date | null;
    /** What was declined, each with the reason for the customer. */
    declined: Array<{ part: KycPart; reason: string }>;
  } | null;
  open: ReturnType<typeof openSteps>;
  missing: ReturnType<typeof missingSteps>;
}

/** The state of a customer's verification. */
export async function getKyc(db: Db | Tx, customerId: string, now: Date): Promise<KycStatus> {
  const residence = await findResidence(db, customerId);
  const [draft = null] = await db
    .select()
    .from(kycDrafts)
    .where(eq(kycDrafts.customerId, customerId));
  const documents = await listCurrentDocuments(db, customerId);
  const latest = await findLatestSubmission(db, customerId);
  const state = stateOf(latest, now);
  const kept = documents.map(({ purpose }) => purpose);
  const declined = latest && state === "declined" ? await listDeclined(db, latest.id) : [];
  const facts: Facts = { state, draft, kept, declined: declined.map(({ part }) => part) };
  return {
    state,
    residence,
    level: kycTierOf({
      residenceServed: residence?.served ?? false,
      verified: state === "approved",
    }),
    draft,
    documents,
    kept,
    submission: latest && { ...latest, declined },
    open: openSteps(facts),
    missing: missingSteps(facts),
  };
}

/** An approval whose time is over counts as expired from that moment, whenever the worker writes it down. */
function stateOf(latest: { state: KycState; validUntil: Date | null } | null, now: Date): KycState {
  if (!latest) return "not started";
  const over = latest.validUntil !== null && latest.validUntil <= now;
  return latest.state === "approved" && over ? "expired" : latest.state;
}

async function findLatestSubmission(db: Db | Tx, customerId: string) {
  const [latest] = await db
    .select({
      id: v.id,
      state: v.state,
      submittedAt: v.submittedAt,
      decidedAt: v.decidedAt,
      validUntil: v.validUntil,
    })
    .from(v)
    .where(eq(v.customerId, customerId))
    .orderBy(desc(v.submittedAt), desc(v.id))
    .limit(1);
  return latest ?? null;
}
