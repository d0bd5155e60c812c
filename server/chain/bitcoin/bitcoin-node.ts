import { z } from "#core/zod.ts";
import { JsonRpc, NodeError, orNull, type Shape } from "../json-rpc.ts";

/** Numbers of errors (`RPC_…` in Bitcoin Core's protocol.h) that a caller may want to tell apart. */
export const nodeErrors = {
  /** An unknown block or transaction. */
  notFound: -5,
  /** A height that the chain does not have, or a scan beside another one. */
  outOfRange: -8,
  /** Inputs that are missing or spent, or a transaction that cannot be read. */
  verifyError: -25,
  /** The node's rules for its mempool say no. */
  verifyRejected: -26,
  /** It is in a block already, with outputs unspent. */
  alreadyInChain: -27,
  warmingUp: -28,
} as const;

/** Bitcoin as JSON decimal text, read as satoshis. */
const coins = z.pipe(
  z.string().check(z.regex(/^-?\d{1,12}\.\d{8}$/)),
  z.transform((text) => BigInt(text.replace(".", ""))),
);
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = z.string().check(z.regex(/^(?:[0-9a-f]{2})*$/));
const height = z.int().check(z.minimum(0));

const blockchainInfo = z.object({
  /** `main`, `test`, `testnet4`, `signet` or `regtest`. */
  chain: z.string(),
  blocks: height,
  headers: height,
  bestblockhash: hash,
  initialblockdownload: z.boolean(),
  /** Seconds since 1970, by the newest block. */
  time: z.optional(z.int()),
  pruned: z.boolean(),
  pruneheight: z.optional(height),
});
export type BlockchainInfo = z.infer<typeof blockchainInfo>;

const header = z.object({
  hash,
  height,
  /** -1: not on the active chain. */
  confirmations: z.int(),
  time: z.int(),
  mediantime: z.int(),
  /** Missing for the first block of a chain. */
  previousblockhash: z.optional(hash),
});
export type BlockHeader = z.infer<typeof header>;

const transaction = z.object({
  txid: hash,
  hex,
  vsize: z.int(),
  /** The three are missing while it waits in the mempool. */
  blockhash: z.optional(hash),
  confirmations: z.optional(z.int()),
  blocktime: z.optional(z.int()),
});
export type NodeTransaction = z.infer<typeof transaction>;

const minedTransaction = z.object({
  txid: hash,
  /** Missing where the node has pruned what it spends. */
  fee: z.optional(coins),
  vout: z.array(z.object({ value: coins })),
});

const acceptance = z.object({
  txid: hash,
  allowed: z.optional(z.boolean()),
  vsize: z.optional(z.int()),
  fees: z.optional(z.object({ base: coins })),
  "reject-reason": z.optional(z.string()),
});
export type MempoolAcceptance = z.infer<typeof acceptance>;

const txOut = z.object({
  bestblock: hash,
  /** 0: in the mempool alone. */
  confirmations: z.int(),
  value: coins,
  scriptPubKey: z.object({ hex }),
  coinbase: z.boolean(),
});
export type NodeTxOut = z.infer<typeof txOut>;

const unspent = z.object({
  /** A scan that was aborted says false, with what it had found so far. */
  success: z.literal(true),
  height,
  bestblock: hash,
  unspents: z.array(
    z.object({
      txid: hash,
      vout: z.int(),
      scriptPubKey: hex,
      desc: z.string(),
      amount: coins,
      coinbase: z.boolean(),
      height,
      blockhash: hash,
    }),
  ),
});

const mempoolEntry = z.object({
  vsize: z.int(),
  time: z.int(),
  fees: z.object({ base: coins, modified: coins, descendant: coins }),
  "bip125-replaceable": z.optional(z.boolean()),
});
export type MempoolEntry = z.infer<typeof mempoolEntry>;

/** For 1,000 virtual bytes. */
const mempoolInfo = z.object({
  /** What is needed to get in, which rises as it fills up. */
  mempoolminfee: z.optional(coins),
  minrelaytxfee: z.optional(coins),
  incrementalrelayfee: z.optional(coins),
});

const feeEstimate = z.object({ feerate: z.optional(coins), blocks: z.int() });

/** What of a node's JSON is an amount of bitcoin: read as it was written, never as a floating point number. */
const amounts = new Set([
  ...["value", "amount", "total_amount", "feerate", "fee", "base"],
  ...["modified", "ancestor", "descendant", "effective-feerate"],
  ...["mempoolminfee", "minrelaytxfee", "incrementalrelayfee"],
]);

/**
 * Bitcoin Core's JSON-RPC, spoken over fetch: https://developer.bitcoin.org/reference/rpc. Amounts are satoshis. No wallet
 * of the node is used. Every method throws NodeError.
 */
export class BitcoinNode {
  readonly #rpc: JsonRpc;

  /** @param url with the user and password in it: `http://user:password@127.0.0.1:8332` */
  constructor(url: string, stopping?: AbortSignal) {
    const { warmingUp } = nodeErrors;
    this.#rpc = new JsonRpc(url, { version: "1.0", stopping, reviver: asWritten, warmingUp });
  }

  getBlockchainInfo(): Promise<BlockchainInfo> {
    return this.#ask("getblockchaininfo", [], blockchainInfo);
  }

  /** Null: the chain is not that high. */
  getBlockHash(blockHeight: number): Promise<string | null> {
    return orNull(this.#ask("getblockhash", [blockHeight], hash), nodeErrors.outOfRange);
  }

  /** Null: the node does not know such a block. */
  getBlockHeader(blockHash: string): Promise<BlockHeader | null> {
    return orNull(this.#ask("getblockheader", [blockHash], header), nodeErrors.notFound);
  }

  /** The block as it travels, byte for byte. Refused where the node has pruned it. */
  async getBlock(blockHash: string): Promise<Buffer> {
    return Buffer.from(await this.#ask("getblock", [blockHash, 0], hex, 120_000), "hex");
  }

  /**
   * Null: the node does not know it. Without an index of transactions it knows those in its mempool, and those of a
   * block that is named.
   */
  getRawTransaction(txid: string, blockHash?: string): Promise<NodeTransaction | null> {
    const params = blockHash ? [txid, 1, blockHash] : [txid, 1];
    return orNull(this.#ask("getrawtransaction", params, transaction), nodeErrors.notFound);
  }

  /** A transaction of this block with its fee; null: the block does not hold it. */
  getMinedTransaction(txid: string, blockHash: string) {
    const asked = this.#ask("getrawtransaction", [txid, 2, blockHash], minedTransaction);
    return orNull(asked, nodeErrors.notFound);
  }

  /** The bytes of many transactions of the mempool as hex; null for one that is no longer there. */
  async getRawTransactions(txids: string[]): Promise<Array<string | null>> {
    const calls = txids.map((txid) => ["getrawtransaction", [txid]] as const);
    const asked = await this.#rpc.askMany(calls, hex);
    return Promise.all(asked.map((each) => orNull(each, nodeErrors.notFound)));
  }

  getMempool(): Promise<string[]> {
    return this.#ask("getrawmempool", [], z.array(hash));
  }

  /** What it asks of transactions that it passes on. */
  getMempoolInfo() {
    return this.#ask("getmempoolinfo", [], mempoolInfo);
  }

  /** Null: it is not in the mempool. */
  getMempoolEntry(txid: string): Promise<MempoolEntry | null> {
    return orNull(this.#ask("getmempoolentry", [txid], mempoolEntry), nodeErrors.notFound);
  }

  /** The id under which it was taken. What the mempool has already is taken again; `refused` says why it was not. */
  sendRawTransaction(rawHex: string): Promise<string> {
    return this.#ask("sendrawtransaction", [rawHex], hash);
  }

  /** Whether the mempool would take a transaction, which is not sent. */
  async testMempoolAccept(rawHex: string): Promise<MempoolAcceptance> {
    const [result] = await this.#ask("testmempoolaccept", [[rawHex]], z.array(acceptance));
    if (!result) throw new NodeError("malformed", "testmempoolaccept answered nothing");
    return result;
  }

  /** Satoshis per 1,000 virtual bytes for a confirmation within so many blocks; null: it has not seen enough yet. */
  async estimateSmartFee(withinBlocks: number): Promise<bigint | null> {
    const { feerate } = await this.#ask("estimatesmartfee", [withinBlocks], feeEstimate);
    return feerate ?? null;
  }

  /** An unspent output; null: spent, or never there. What the mempool spends counts as spent unless told otherwise. */
  getTxOut(txid: string, vout: number, { withMempool = true } = {}): Promise<NodeTxOut | null> {
    return this.#ask("gettxout", [txid, vout, withMempool], z.nullable(txOut));
  }

  /** Every unspent output of descriptors, in blocks alone. Takes minutes on the main network, and one scan runs at a time: `isScanning`. */
  scanTxOutSet(descriptors: Array<string | { desc: string; range: number }>) {
    const within = 30 * 60_000;
    return this.#ask("scantxoutset", ["start", descriptors], unspent, within);
  }

  #ask<T>(method: string, params: readonly unknown[], shape: Shape<T>, withinMs?: number) {
    return this.#rpc.ask(method, params, shape, withinMs);
  }
}

/** Whether a scan was refused because another one is under way; the node ends it even when nobody waits for it any more. */
export function isScanning({ code, message }: NodeError): boolean {
  return code === nodeErrors.outOfRange && message.includes("already in progress");
}

/** Keeps the digits of an amount (https://tc39.es/proposal-json-parse-with-source). */
function asWritten(key: string, value: unknown, context?: { source?: string }): unknown {
  const isAmount = typeof value === "number" && amounts.has(key);
  return isAmount ? (context?.source ?? value) : value;
}
