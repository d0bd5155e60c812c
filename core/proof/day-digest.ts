import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { asNetstring } from "./netstring.ts";

/** The digest of a UTC day. Numbers are as PostgreSQL writes them, hashes in hexadecimal. */
export interface ProofDay {
  /** YYYY-MM-DD */
  day: string;
  /** Of the day before; of the first day, 64 zeros. */
  previousDigest: string;
  /** The newest seal of the ledger when it was made; null: there was none yet. */
  sealNumber: string | null;
  sealHash: string | null;
  /** The newest link of the audit log when it was made; null: there was none yet. */
  auditLink: string | null;
  auditHash: string | null;
  digest: string;
}

/** The text whose SHA-256 is the digest of the day: docs/proof.md. */
export function textOfDay(day: Omit<ProofDay, "digest">): string {
  const { previousDigest, sealNumber, sealHash, auditLink, auditHash } = day;
  return ["assay day 1", day.day, previousDigest, sealNumber, sealHash, auditLink, auditHash]
    .map(asNetstring)
    .join("");
}

/** Computed apart from the database that made it; a test and every verification hold them together. */
export function hashDay(day: Omit<ProofDay, "digest">): string {
  return bytesToHex(sha256(utf8ToBytes(textOfDay(day))));
}
