// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { bigint, date, pgTable } from "#server/platform/tables.ts";
import { bytes, time } from "#server/platform/columns.ts";

export const proofDays = pgTable("proof_days", {
  day: date("day").notNull(),
  previousDigest: bytes("previous_digest").notNull(),
  sealNumber: bigint("seal_number", { mode: "bigint" }),
  sealHash: bytes("seal_hash"),
  auditLink: bigint("audit_link", { mode: "bigint" }),
  auditHash: bytes("audit_hash"),
  digest: bytes("digest").notNull(),
  publishedAt: time("published_at").notNull(),
});
