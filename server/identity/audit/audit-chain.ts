import { createHash } from "node:crypto";
import { asNetstring } from "#core/proof/netstring.ts";

/**
 * The links of the audit log's chain, computed apart from the database that made them. Both follow
 * docs/decisions/0012-staff-acts-form-a-chain.md; a test and every verification hold them together.
 */
export interface ChainedAct {
  link: string;
  previousHash: Buffer;
  id: string;
  position: string;
  act: string;
  operatorId: string | null;
  customerId: string | null;
  subject: string;
  /** As PostgreSQL writes its jsonb. */
  detail: string;
  requestId: string | null;
  /** UTC, to the microsecond: 2026-01-31T23:59:59.000000Z */
  occurredAt: string;
}

/** What stands before the first link: 32 zero bytes. */
export const beforeTheFirstLink = Buffer.alloc(32);

/** SHA-256 over the link before and every field of the act, each written with its length. */
export function hashLink(act: ChainedAct): Buffer {
  const fields = [
    "assay act 1",
    act.link,
    act.previousHash.toString("hex"),
    act.id,
    act.position,
    act.act,
    act.operatorId,
    act.customerId,
    act.subject,
    act.detail,
    act.requestId,
    act.occurredAt,
  ];
  return createHash("sha256").update(fields.map(asNetstring).join("")).digest();
}
