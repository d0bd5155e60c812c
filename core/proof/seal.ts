import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { asNetstring } from "./netstring.ts";

/**
 * The hashes of seals, computed apart from the database that made them. Both follow
 * docs/decisions/0002-the-ledger.md; a test and every verification hold them together.
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
  previousHash: Uint8Array;
  transferCount: number;
  merkleRoot: Uint8Array;
  /** UTC, to the microsecond. */
  sealedAt: string;
}

/** What stands before the first seal: 32 zero bytes. */
export const beforeTheFirstSeal = new Uint8Array(32);

/** The fields of a transfer's leaf, in their order. */
export function fieldsOfTransfer(transfer: SealedTransfer): (string | null)[] {
  return [
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
}

/** The leaf of one transfer: SHA-256 over a zero byte and its fields, each written with its length. */
export function hashLeaf(fields: (string | null)[]): Uint8Array {
  return hashFields(0, fields);
}

/** A hash on the way from a leaf to the root, and on which side of the other it stands. */
export interface Sibling {
  side: "left" | "right";
  /** Hexadecimal. */
  hash: string;
}

/** The root of RFC 9162's Merkle tree (2.1.1) over the leaves: an odd node goes up as it is. */
export function merkleRoot(leaves: Uint8Array[]): Uint8Array {
  const [root] = levelsOver(leaves).at(-1) ?? [];
  if (!root) throw new Error("a seal covers at least one transfer");
  return root;
}

/** What a leaf is hashed with on its way to the root, from below: its inclusion proof (2.1.3). */
export function merklePath(leaves: Uint8Array[], place: number): Sibling[] {
  return levelsOver(leaves).flatMap((level, height) => {
    const at = Math.floor(place / 2 ** height);
    const isRight = at % 2 === 1;
    const sibling = level[isRight ? at - 1 : at + 1];
    return sibling ? { side: isRight ? "left" : "right", hash: bytesToHex(sibling) } : [];
  });
}

/** The library's own is 0.3 kB that pages with addresses would bring as well. */
export const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** The root that a leaf and its path make. */
export function rootOf(leaf: Uint8Array, path: Sibling[]): Uint8Array {
  return path.reduce((node, { side, hash }) => {
    const sibling = bytesOf(hash);
    return side === "left" ? hashNode(sibling, node) : hashNode(node, sibling);
  }, leaf);
}

/** The leaves, and what is made of them, level by level up to the root. */
function levelsOver(leaves: Uint8Array[]): Uint8Array[][] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; ) {
    const above: Uint8Array[] = [];
    for (let place = 0; place < level.length; place += 2) {
      const [left, right] = level.slice(place, place + 2);
      if (left) above.push(right ? hashNode(left, right) : left);
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** The hash that the next seal, and whoever keeps this one, holds on to. */
export function hashSeal(seal: Seal): Uint8Array {
  return hashFields(2, [
    "assay seal 1",
    seal.number,
    bytesToHex(seal.previousHash),
    String(seal.transferCount),
    bytesToHex(seal.merkleRoot),
    seal.sealedAt,
  ]);
}

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest();
}

function hashFields(prefix: number, fields: (string | null)[]): Uint8Array {
  const text = utf8ToBytes(fields.map(asNetstring).join(""));
  return sha256.create().update(Uint8Array.of(prefix)).update(text).digest();
}
