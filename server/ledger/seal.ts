import { createHash } from "node:crypto";
import { asNetstring } from "#server/platform/netstring.ts";

/**
 * The hashes of seals, computed apart from the database that made them. Both follow
 * docs/decisions/0002-the-journal.md; a test and every verification hold them together.
 */
export interface SealedTransfer {
  number: string;
  id: string;
  key: string;
  kind: string;
  ownerId: string;
  /** YYYY-MM-DD */
  day: string;
  /** UTC, to the microsecond: 2026-01-31T23:59:59.000000Z */
  occurredAt: string;
  createdAt: string;
  source: string;
  memo: string;
  reverses: string | null;
  /** In the order of asset and account: account, asset, units, sequence, balance after. */
  entries: [string, string, string, string | null, string | null][];
}

export interface Seal {
  number: string;
  previousHash: Buffer;
  transferCount: number;
  merkleRoot: Buffer;
  /** UTC, to the microsecond. */
  sealedAt: string;
}

/** What stands before the first seal: 32 zero bytes. */
export const beforeTheFirstSeal = Buffer.alloc(32);

/** The leaf of one transfer: SHA-256 over a zero byte and its fields, each written with its length. */
export function hashTransfer(transfer: SealedTransfer): Buffer {
  const fields = [
    "assay transfer 1",
    transfer.number,
    transfer.id,
    transfer.key,
    transfer.kind,
    transfer.ownerId,
    transfer.day,
    transfer.occurredAt,
    transfer.createdAt,
    transfer.source,
    transfer.memo,
    transfer.reverses,
    ...transfer.entries.flat(),
  ];
  return hashFields(0, fields);
}

/** The root of RFC 9162's Merkle tree (2.1.1) over the leaves: an odd node goes up as it is. */
export function merkleRoot(leaves: Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let place = 0; place < level.length; place += 2) {
      const [left, right] = level.slice(place, place + 2);
      if (left) above.push(right ? sha256([Buffer.of(1), left, right]) : left);
    }
    level = above;
  }
  const [root] = level;
  if (!root) throw new Error("a seal covers at least one transfer");
  return root;
}

/** The hash that the next seal, and whoever keeps this one, holds on to. */
export function hashSeal(seal: Seal): Buffer {
  const fields = [
    "assay seal 1",
    seal.number,
    seal.previousHash.toString("hex"),
    String(seal.transferCount),
    seal.merkleRoot.toString("hex"),
    seal.sealedAt,
  ];
  return hashFields(2, fields);
}

function hashFields(prefix: number, fields: (string | null)[]): Buffer {
  return sha256([Buffer.of(prefix), Buffer.from(fields.map(asNetstring).join(""))]);
}

function sha256(parts: Buffer[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
