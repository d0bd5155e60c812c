import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Coin, coins } from "../asset.ts";

/** What somebody has in each coin, in its smallest unit as PostgreSQL writes it. */
export type Sums = Record<Coin, string>;

/** What a leaf of the tree of what is owed is made of. */
export interface OwedLeaf {
  /** YYYY-MM-DD */
  day: string;
  customerId: string;
  /** Random, so that nobody finds a leaf by trying balances. */
  nonce: string;
  /** Available and held. */
  balance: Sums;
  /** What of the prices of contracts is not served yet. */
  prepaid: Sums;
}

/** A node of the tree: its hash in hexadecimal, and the sums of all leaves below it. */
export interface SumNode extends Sums {
  hash: string;
}

/** What a node is hashed with on the way to the root, and on which side of the other it stands. */
export interface SumSibling extends SumNode {
  side: "left" | "right";
}

const none = 0n;

/** The leaf as a node. Throws where an amount is none, or below zero. */
export function sumLeaf({ day, customerId, nonce, balance, prepaid }: OwedLeaf): SumNode {
  const amounts = coins.flatMap((coin) => [balance[coin], prepaid[coin]]);
  const sums = sumsOf((coin) => whole(balance[coin]) + whole(prepaid[coin]));
  return { hash: hashFields(0, [day, customerId, nonce, ...amounts]), ...sums };
}

/** The node over two others. Both hashes and both sums are in its hash, so that none can be moved from one to the other. */
export function sumNode(left: SumNode, right: SumNode): SumNode {
  const fields = [left, right].flatMap((node) => [node.hash, ...coins.map((coin) => node[coin])]);
  const sums = sumsOf((coin) => whole(left[coin]) + whole(right[coin]));
  return { hash: hashFields(1, fields), ...sums };
}

/** The root that a leaf and its path make, with the sums of the whole tree. */
export function sumRoot(leaf: SumNode, path: SumSibling[]): SumNode {
  return path.reduce((node: SumNode, sibling) => {
    if (!/^[0-9a-f]{64}$/.test(sibling.hash)) throw new RangeError("no hash");
    if (sibling.side === "left") return sumNode(sibling, node);
    if (sibling.side === "right") return sumNode(node, sibling);
    throw new RangeError("neither left nor right");
  }, leaf);
}

function sumsOf(sum: (coin: Coin) => bigint): Sums {
  return { BTC: String(sum("BTC")), ETH: String(sum("ETH")), USDT: String(sum("USDT")) };
}

function whole(amount: string): bigint {
  const units = BigInt(amount);
  if (units < none || String(units) !== amount) throw new RangeError(`${amount} is no amount`);
  return units;
}

/** No field has a comma in it: amounts and hashes are checked, and the others are compared with what the reader knows. */
function hashFields(prefix: number, fields: string[]): string {
  const text = utf8ToBytes(fields.join(","));
  return bytesToHex(sha256.create().update(Uint8Array.of(prefix)).update(text).digest());
}
