import type { Network } from "#core/payments/address.ts";
import type { BlockBefore } from "../chain-reader.ts";
import { SourceIncident } from "../source-health.ts";
import { merkleRoot, type ParsedBlock, parseBlock } from "./parse-block.ts";

const blocksPerPeriod = 2016;
/** The easiest target of the main network, and how far it may move from one period to the next. */
const easiestOfMainnet = compactToTarget(0x1d00ffff);
const mostChange = 4n;

/**
 * Reads the block that follows another, and believes nothing: its hash is that of its bytes and small enough for the work
 * that it claims, it follows the block before, and holds the transactions that its header commits to. On the main network
 * the work is also what the rules ask for, as far as two blocks show: a node would have to mine to make up a payment.
 *
 * @throws SourceIncident `lying`
 */
export function checkBlock(
  bytes: Buffer,
  { hash, before, network }: { hash: string; before: BlockBefore; network: Network },
): ParsedBlock {
  const block = parse(bytes);
  const height = before.height + 1;
  const lie = (what: string) => new SourceIncident("lying", `block ${height}: ${what}`);
  if (block.hash !== hash) throw lie("its bytes have another hash");
  if (block.previousHash !== before.hash) throw lie("it does not follow the block before");
  const target = compactToTarget(block.bits);
  if (BigInt(`0x${block.hash}`) > target) throw lie("too little work was put into it");
  if (network === "mainnet" && !isWorkAsked(block.bits, height, before.bits)) {
    throw lie("it claims another work than the rules ask for");
  }
  if (!merkleRoot(block.txids)?.equals(block.merkleRoot)) {
    throw lie("its header commits to other transactions");
  }
  return block;
}

function parse(bytes: Buffer): ParsedBlock {
  try {
    return parseBlock(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SourceIncident("lying", `what it sent is no block: ${error.message}`);
  }
}

function isWorkAsked(bits: number, height: number, bitsBefore: number | null): boolean {
  const target = compactToTarget(bits);
  if (target > easiestOfMainnet) return false;
  if (bitsBefore === null) return true;
  if (height % blocksPerPeriod !== 0) return bits === bitsBefore;
  const before = compactToTarget(bitsBefore);
  return target <= before * mostChange && target >= before / (mostChange + 1n);
}

/** The number that a block's hash must not exceed, out of its compact form. */
function compactToTarget(bits: number): bigint {
  const mantissa = BigInt(bits & 0x7fffff);
  const shift = 8 * ((bits >>> 24) - 3);
  return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
}
