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
  /** Of the tree of what is owed to customers, with the number of its leaves and its sums; null: the day was made up for later. */
  root: string | null;
  leaves: string | null;
  owedBtc: string | null;
  owedEth: string | null;
  owedUsdt: string | null;
  /** The newest block that our node had read; null: it reads none. */
  blockHeight: string | null;
  blockHash: string | null;
  digest: string;
}

const fields = [
  "day",
  "previousDigest",
  "sealNumber",
  "sealHash",
  "auditLink",
  "auditHash",
  "root",
  "leaves",
  "owedBtc",
  "owedEth",
  "owedUsdt",
  "blockHeight",
  "blockHash",
] as const;

/** The text whose SHA-256 is the digest of the day: docs/proof.md. */
export function textOfDay(day: Omit<ProofDay, "digest">): string {
  return ["assay day 1", ...fields.map((name) => day[name])].map(asNetstring).join("");
}

/** Computed apart from the database that made it; a test and every verification hold them together. */
export function hashDay(day: Omit<ProofDay, "digest">): string {
  return bytesToHex(sha256(utf8ToBytes(textOfDay(day))));
}
