import { hash } from "node:crypto";

/** An output of a transaction. */
export interface ParsedOutput {
  outputIndex: number;
  sats: bigint;
  /** What it pays to, as hexadecimal digits. */
  script: string;
}

export interface ParsedTransaction {
  txid: string;
  raw: Buffer;
  coinbase: boolean;
  outputs: ParsedOutput[];
}

export interface ParsedBlock {
  hash: string;
  previousHash: string;
  /** The root that the header commits to, as hexadecimal digits in the order of hashes. */
  merkleRoot: Buffer;
  time: Date;
  /** The target in its compact form. */
  bits: number;
  /** The ids of all transactions, in the order of bytes as they are hashed. */
  txids: Buffer[];
  /** Transactions with an output of a kind that our wallets have, those outputs alone. */
  transactions: ParsedTransaction[];
}

/**
 * Reads a block as it travels between nodes (https://en.bitcoin.it/wiki/Protocol_documentation#block, BIP 144). Every
 * transaction is hashed, since the header vouches for all of them together; nothing else of it is decoded than outputs
 * that an address of ours could have. A tenth of the work of a general decoder.
 *
 * @throws RangeError when the bytes are no block
 */
export function parseBlock(bytes: Buffer): ParsedBlock {
  const reader = new Reader(bytes, 80);
  const count = reader.size();
  const txids: Buffer[] = [];
  const transactions: ParsedTransaction[] = [];
  for (let i = 0; i < count; i++) {
    const { id, spends: _, ...transaction } = readTransaction(reader);
    txids.push(id);
    if (transaction.outputs.length > 0) transactions.push(transaction);
  }
  if (reader.at !== bytes.length) throw new RangeError("bytes after the last transaction");
  return {
    hash: reversed(sha256d(bytes.subarray(0, 80))),
    previousHash: reversed(bytes.subarray(4, 36)),
    merkleRoot: bytes.subarray(36, 68),
    time: new Date(bytes.readUInt32LE(68) * 1000),
    bits: bytes.readUInt32LE(72),
    txids,
    transactions,
  };
}

/**
 * Reads one transaction, of which outputs of kinds that our wallets do not have are left out.
 *
 * @throws RangeError when the bytes are none
 */
export function parseTransaction(bytes: Buffer): ParsedTransaction {
  const reader = new Reader(bytes, 0);
  const { id: _, spends: __, ...transaction } = readTransaction(reader);
  if (reader.at !== bytes.length) throw new RangeError("bytes after the transaction");
  return transaction;
}

/**
 * The id of the transaction of a block that spends an output, named as inputs name it; null: none does. Inputs alone count: the
 * same 36 bytes can be written into an output by anybody who has seen them.
 *
 * @throws RangeError when the bytes are no block
 */
export function findSpendingTransaction(bytes: Buffer, outpoint: Buffer): string | null {
  if (!bytes.includes(outpoint)) return null;
  const reader = new Reader(bytes, 80);
  for (let left = reader.size(); left > 0; left--) {
    const { id, spends } = readTransaction(reader, outpoint);
    if (spends) return reversed(id);
  }
  return null;
}

/**
 * The coins that a transaction spends, each as `txid:output`. New coins of a block spend 64 zeros.
 *
 * @throws RangeError when the bytes are none
 */
export function listSpent(bytes: Buffer): string[] {
  const reader = new Reader(bytes, 4);
  if (bytes[reader.at] === 0 && bytes[reader.at + 1] === 1) reader.skip(2);
  return Array.from({ length: reader.size() }, () => {
    const at = reader.at;
    reader.skip(36);
    reader.skip(reader.size() + 4);
    return `${reversed(bytes.subarray(at, at + 32))}:${bytes.readUInt32LE(at + 32)}`;
  });
}

function readTransaction(
  reader: Reader,
  outpoint?: Buffer,
): ParsedTransaction & { id: Buffer; spends: boolean } {
  const { bytes } = reader;
  const start = reader.at;
  reader.skip(4);
  const hasWitness = bytes[reader.at] === 0 && bytes[reader.at + 1] === 1;
  if (hasWitness) reader.skip(2);
  const bodyStart = reader.at;
  const inputs = reader.size();
  // New coins come out of no transaction: 32 zero bytes.
  const coinbase = inputs === 1 && isZero(bytes, reader.at);
  const spends = readInputs(reader, inputs, outpoint);
  const outputs = readOutputs(reader);
  const bodyEnd = reader.at;
  if (hasWitness) {
    for (let i = 0; i < inputs; i++) {
      for (let items = reader.size(); items > 0; items--) reader.skip(reader.size());
    }
  }
  reader.skip(4);
  const raw = bytes.subarray(start, reader.at);
  // Witnesses are no part of what an id is made of.
  const hashed = hasWitness
    ? Buffer.concat([
        bytes.subarray(start, start + 4),
        bytes.subarray(bodyStart, bodyEnd),
        bytes.subarray(reader.at - 4, reader.at),
      ])
    : raw;
  const id = sha256d(hashed);
  return { id, spends, txid: outputs.length > 0 ? reversed(id) : "", raw, coinbase, outputs };
}

/** Whether one of the inputs spends the output that is looked for. */
function readInputs(reader: Reader, count: number, outpoint: Buffer | undefined): boolean {
  let spends = false;
  for (let i = 0; i < count; i++) {
    const at = reader.at;
    reader.skip(36);
    if (outpoint?.equals(reader.bytes.subarray(at, at + 36))) spends = true;
    reader.skip(reader.size() + 4);
  }
  return spends;
}

function readOutputs(reader: Reader): ParsedOutput[] {
  const { bytes } = reader;
  const count = reader.size();
  const outputs: ParsedOutput[] = [];
  for (let outputIndex = 0; outputIndex < count; outputIndex++) {
    const amountAt = reader.at;
    reader.skip(8);
    const length = reader.size();
    const at = reader.at;
    reader.skip(length);
    if (!isOfOurKinds(bytes, at, length)) continue;
    const script = bytes.toString("hex", at, at + length);
    outputs.push({ outputIndex, sats: bytes.readBigUInt64LE(amountAt), script });
  }
  return outputs;
}

/** A witness public key hash (BIP 141) or a taproot output (BIP 341). */
function isOfOurKinds(bytes: Buffer, at: number, length: number): boolean {
  if (length === 22) return bytes[at] === 0x00 && bytes[at + 1] === 20;
  return length === 34 && bytes[at] === 0x51 && bytes[at + 1] === 32;
}

function isZero(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at, at + 32).every((byte) => byte === 0);
}

/** The root of the tree of ids that a header commits to; null when a list was doubled to look like another (CVE-2012-2459). */
export function merkleRoot(txids: Buffer[]): Buffer | null {
  let level = txids;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] as Buffer;
      const right = level[i + 1];
      if (right && left.equals(right)) return null;
      above.push(sha256d(Buffer.concat([left, right ?? left])));
    }
    level = above;
  }
  return level[0] ?? null;
}

class Reader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw new RangeError("the bytes end too early");
  }

  /** A count in Bitcoin's variable length. */
  size(): number {
    const first = this.bytes.readUInt8(this.at);
    const width = first < 0xfd ? 0 : 2 ** (first - 0xfc);
    this.skip(1 + width);
    if (width === 0) return first;
    if (width === 2) return this.bytes.readUInt16LE(this.at - 2);
    if (width === 4) return this.bytes.readUInt32LE(this.at - 4);
    throw new RangeError("a count beyond every block");
  }
}

function sha256d(bytes: Uint8Array): Buffer {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

/** How people write hashes: the other way round. */
function reversed(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex");
}
