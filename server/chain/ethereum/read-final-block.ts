import { Transaction } from "micro-eth-signer";
import type { Db } from "../../platform/database.ts";
import { agree, type BlockRead, findBlocksRead } from "../blocks-read.ts";
import { findPosition } from "../find-position.ts";
import { SourceIncident } from "../source-health.ts";
import type { EthereumBlock, EthereumHeader, EthereumLog, EthereumNode } from "./ethereum-node.ts";
import { requireHashOfFields } from "./hash-header.ts";
import { proveBlock } from "./prove-block.ts";
import { checkEthereumBlock } from "./read-ethereum.ts";

const headersAtOnce = 100;

/** A transaction as it stands in its block: who signed it, what it does, and what came of it. */
export interface MinedTransaction {
  txid: string;
  /** EIP-55, as all addresses here. */
  from: string;
  nonce: number;
  /** Hex; empty: it makes a contract. */
  to: string;
  /** Wei. */
  value: bigint;
  /** Hex, `0x` where there is none. */
  input: string;
  /** False: it was paid for, and did nothing. */
  succeeded: boolean;
  logs: EthereumLog[];
  /** Wei, without what data in blobs cost. */
  feeUnits: bigint;
}

export interface FinalBlock {
  height: number;
  hash: string;
  /** Null: it is not in the block. */
  find(txid: string): MinedTransaction | null;
}

/**
 * Reads a final block of an Ethereum node for another purpose than deposits, and believes nothing of it but that its chain is the
 * chain: the block is the one that was read for deposits, or the blocks after it lead to one that was, or to the final one; its
 * header has that hash, and commits to its transactions and to what came of them. Null: the node is not that far.
 *
 * @param final the height of the newest final block
 * @throws SourceIncident `lying`, `behind`, and as `answerOf` does
 * @throws NodeError
 */
export async function readFinalBlock(
  db: Db,
  node: EthereumNode,
  { height, final }: { height: number; final: number },
): Promise<FinalBlock | null> {
  if (height < 1 || height > final) return null;
  const [before, header] = await node.getHeaders(height - 1, height);
  if (!before || !header) return null;
  const known = await findBlocksRead(db, "ethereum", { from: height - 1, to: final });
  for (const { number, hash } of [before, header])
    agree({ height: number, hash }, known.get(number));
  await requireSameChain(db, node, height);
  const block = await node.getBlock(header.hash);
  if (!block) return null;
  checkEthereumBlock(block, header.hash, { height: height - 1, hash: before.hash });
  if (!known.has(height)) await followOn(node, { header, known, final });
  return proved(node, block);
}

/** A chain that was not read so far must at least be the one that was read. */
async function requireSameChain(db: Db, node: EthereumNode, height: number): Promise<void> {
  const position = await findPosition(db, "ethereum");
  if (!position || position.height >= height) return;
  const header = await node.getHeader(position.height);
  if (header) agree({ height: header.number, hash: header.hash }, { ...position, bits: null });
}

/** Header by header up to a block that was read for deposits, or to the final one. */
async function followOn(
  node: EthereumNode,
  {
    header,
    known,
    final,
  }: { header: EthereumHeader; known: Map<number, BlockRead>; final: number },
): Promise<void> {
  let last = header;
  while (last.number < final) {
    const to = Math.min(last.number + headersAtOnce, final);
    for (const next of await node.getHeaders(last.number + 1, to)) {
      const follows = next?.number === last.number + 1 && next.parentHash === last.hash;
      if (!next || !follows) {
        throw new SourceIncident("lying", `no chain of blocks follows block ${last.number}`);
      }
      requireHashOfFields(next);
      agree({ height: next.number, hash: next.hash }, known.get(next.number));
      if (known.has(next.number)) return;
      last = next;
    }
  }
}

async function proved(node: EthereumNode, block: EthereumBlock): Promise<FinalBlock> {
  const { number: height, hash, baseFeePerGas = 0n } = block;
  const transactions = new Map((await proveBlock(node, block)).map((each) => [each.txid, each]));
  return {
    height,
    hash,
    find(txid) {
      const found = transactions.get(txid);
      if (!found) return null;
      const { raw, succeeded, logs, gasUsed } = found;
      const { gasPriceAt, ...said } = readSigned(raw);
      return { txid, ...said, succeeded, logs, feeUnits: gasUsed * gasPriceAt(baseFeePerGas) };
    },
  };
}

/** What the bytes of a transaction say, and what its gas cost by the base fee of its block. */
function readSigned(raw: Uint8Array) {
  const signed = Transaction.fromBytes(raw);
  const fields: Partial<Record<string, bigint>> & { to: string; data: string } =
    signed.raw as never;
  const { to, data, nonce = 0n, value = 0n, gasPrice = 0n } = fields;
  const { maxFeePerGas, maxPriorityFeePerGas = 0n } = fields;
  return {
    from: signed.recoverSender().address,
    nonce: Number(nonce),
    to,
    value,
    input: data.startsWith("0x") ? data : `0x${data}`,
    gasPriceAt(baseFee: bigint): bigint {
      if (maxFeePerGas === undefined) return gasPrice;
      const wanted = baseFee + maxPriorityFeePerGas;
      return wanted < maxFeePerGas ? wanted : maxFeePerGas;
    },
  };
}
