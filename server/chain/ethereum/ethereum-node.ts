import { z } from "#core/zod.ts";
import { JsonRpc, orNull, type Shape } from "../json-rpc.ts";

/** Numbers of errors that a caller may want to tell apart (EIP-1474; the last is anvil's and geth's word for a bad nonce or fee). */
export const ethereumErrors = {
  /** The node has no such method. */
  methodNotFound: -32601,
  invalidParams: -32602,
  /** A block, or what was asked about it, is not there. */
  resourceNotFound: -32001,
  methodNotSupported: -32004,
  /** What does not fit anywhere else: an unknown block, a nonce that is used, too low a fee. */
  serverError: -32000,
} as const;

/** The event `Transfer(address,address,uint256)` of a token (ERC-20): the Keccak-256 of these words. */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const hex = z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})*$/));
const hash = lowerCase(/^0x[0-9a-fA-F]{64}$/);
const address = lowerCase(/^0x[0-9a-fA-F]{40}$/);
const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text: string) => BigInt(text)),
);
/** A count, a height or a time in seconds. */
const small = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,12}$/)),
  z.transform((text) => Number(text)),
);

/** As the node gave it, with what is read of each. */
const transaction = z.looseObject({
  hash,
  from: address,
  /** Null: it makes a contract. */
  to: z.optional(z.nullable(address)),
  value: quantity,
  /** What a contract is told, as hex. */
  input: z.string(),
  nonce: small,
  /** The two are null while it waits for a block. */
  blockHash: z.optional(z.nullable(hash)),
  blockNumber: z.optional(z.nullable(small)),
});
export type EthereumTransaction = z.infer<typeof transaction>;

const header = z.looseObject({
  hash,
  parentHash: hash,
  number: small,
  timestamp: small,
  /** Null before the London fork. */
  baseFeePerGas: z.optional(quantity),
});
/** As the node gave it, with what every block has read. */
export type EthereumHeader = z.infer<typeof header>;

const wholeBlock = z.looseObject({ ...header.shape, transactions: z.array(transaction) });
export type EthereumBlock = z.infer<typeof wholeBlock>;

const log = z.object({ address, topics: z.array(hash), data: hex });
/** What a contract announced. */
export type EthereumLog = z.infer<typeof log>;

const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: small,
  from: address,
  to: z.optional(z.nullable(address)),
  contractAddress: z.optional(z.nullable(address)),
  /** False: the transaction is in the block, was paid for, and did nothing. */
  status: z.pipe(
    z.enum(["0x0", "0x1"]),
    z.transform((status) => status === "0x1"),
  ),
  /** Missing: of the first kind (EIP-2718). */
  type: z.optional(small),
  gasUsed: quantity,
  /** By its block's transactions up to this one. */
  cumulativeGasUsed: quantity,
  logsBloom: hex,
  effectiveGasPrice: quantity,
  /** What data in blobs cost beside it. */
  blobGasUsed: z.optional(z.nullable(quantity)),
  blobGasPrice: z.optional(z.nullable(quantity)),
  logs: z.array(log),
});
export type EthereumReceipt = z.infer<typeof receipt>;

/** A call within a transaction, as geth's `callTracer` tells it. */
export interface CallFrame {
  type: string;
  to?: string | null | undefined;
  value?: bigint | undefined;
  /** Set: it was undone, and all that it called. */
  error?: string | undefined;
  calls?: CallFrame[] | undefined;
}
const callFrame: Shape<CallFrame> = z.object({
  type: z.string(),
  to: z.optional(z.nullable(address)),
  value: z.optional(quantity),
  error: z.optional(z.string()),
  get calls() {
    return z.optional(z.array(callFrame));
  },
});
const tracedBlock = z.array(z.object({ txHash: z.optional(hash), result: callFrame }));

const feeHistory = z.object({
  /** Wei for each block asked about, and for the one that comes next. */
  baseFeePerGas: z.array(quantity),
  /** By block, then by the percentiles asked for. */
  reward: z.optional(z.nullable(z.array(z.array(quantity)))),
});
export type FeeHistory = z.infer<typeof feeHistory>;

export type BlockTag = "latest" | "safe" | "finalized" | "pending";
export interface EthereumCall {
  from?: string;
  to: string;
  data?: string;
  value?: bigint;
}

/**
 * Ethereum's JSON-RPC, spoken over fetch: https://ethereum.github.io/execution-apis. Amounts are wei; hashes and addresses
 * come in small letters. No key of the node is used. Every method throws NodeError.
 */
export class EthereumNode {
  readonly #rpc: JsonRpc;

  /** @param url with a user and password in it where the node asks for them */
  constructor(url: string, stopping?: AbortSignal) {
    this.#rpc = new JsonRpc(url, { version: "2.0", stopping });
  }

  getChainId(): Promise<number> {
    return this.#rpc.ask("eth_chainId", [], small);
  }

  /** Whether it says that it is still reading the chain itself. */
  async isSyncing(): Promise<boolean> {
    const progress = z.union([z.literal(false), z.looseObject({})]);
    return (await this.#rpc.ask("eth_syncing", [], progress)) !== false;
  }

  /** Null: the chain is not that high, or has no block of the kind yet. */
  getHeader(at: BlockTag | number): Promise<EthereumHeader | null> {
    const asked = this.#rpc.ask("eth_getBlockByNumber", [asTag(at), false], z.nullable(header));
    // Before anything is final, nodes answer that there is no such block.
    return typeof at === "number" ? asked : orNull(asked, -39001);
  }

  /** Of all heights from one to another, both among them. */
  async getHeaders(from: number, to: number): Promise<Array<EthereumHeader | null>> {
    const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const calls = heights.map((at) => ["eth_getBlockByNumber", [asTag(at), false]] as const);
    return Promise.all(await this.#rpc.askMany(calls, z.nullable(header)));
  }

  /** Null: the node does not know such a block. */
  getHeaderByHash(blockHash: string): Promise<EthereumHeader | null> {
    return this.#rpc.ask("eth_getBlockByHash", [blockHash, false], z.nullable(header));
  }

  /** With all its transactions; null: the node does not know such a block. */
  getBlock(blockHash: string): Promise<EthereumBlock | null> {
    return this.#rpc.ask("eth_getBlockByHash", [blockHash, true], z.nullable(wholeBlock), 120_000);
  }

  /** What came of all transactions of a block, in their order; null: the node does not know such a block. */
  getBlockReceipts(blockHash: string): Promise<EthereumReceipt[] | null> {
    const shape = z.nullable(z.array(receipt));
    return this.#rpc.ask("eth_getBlockReceipts", [blockHash], shape, 120_000);
  }

  /** Null: the node does not know it. */
  getTransaction(txHash: string): Promise<EthereumTransaction | null> {
    return this.#rpc.ask("eth_getTransactionByHash", [txHash], z.nullable(transaction));
  }

  /** Its signed bytes; null: the node does not know it. Not every node tells them. */
  getRawTransaction(txHash: string): Promise<string | null> {
    return this.#rpc.ask("eth_getRawTransactionByHash", [txHash], z.nullable(hex));
  }

  /** What a transaction did; null: it is in no block. */
  getReceipt(txHash: string): Promise<EthereumReceipt | null> {
    return this.#rpc.ask("eth_getTransactionReceipt", [txHash], z.nullable(receipt));
  }

  /** The same for many, in their order. */
  async getReceipts(txHashes: string[]): Promise<Array<EthereumReceipt | null>> {
    const calls = txHashes.map((each) => ["eth_getTransactionReceipt", [each]] as const);
    return Promise.all(await this.#rpc.askMany(calls, z.nullable(receipt)));
  }

  /**
   * Every call within a block, transaction by transaction in its order, the transaction's own call outermost. Refused with
   * `methodNotFound` or `methodNotSupported` by nodes that do not trace.
   */
  traceBlock(blockHash: string) {
    const params = [blockHash, { tracer: "callTracer" }];
    return this.#rpc.ask("debug_traceBlockByHash", params, tracedBlock, 120_000);
  }

  /** What a call of a contract answers, as hex. Nothing is changed by it. */
  call({ to, data }: EthereumCall, at: BlockTag | number = "latest"): Promise<string> {
    return this.#rpc.ask("eth_call", [{ to, data }, asTag(at)], hex);
  }

  /** `0x`: no contract is there. */
  getCode(of: string, at: BlockTag | number = "latest"): Promise<string> {
    return this.#rpc.ask("eth_getCode", [of, asTag(at)], hex);
  }

  getBalance(of: string, at: BlockTag | number = "latest"): Promise<bigint> {
    return this.#rpc.ask("eth_getBalance", [of, asTag(at)], quantity);
  }

  /** How many transactions an account has sent: the nonce of its next. `pending` counts those that wait, too. */
  getTransactionCount(of: string, at: BlockTag | number = "latest"): Promise<number> {
    return this.#rpc.ask("eth_getTransactionCount", [of, asTag(at)], small);
  }

  /** Refused where the call would fail, or need more than `gas`: the node runs it up to that. */
  estimateGas({ from, to, data, value }: EthereumCall, gas: bigint): Promise<bigint> {
    const sent = value !== undefined && { value: asQuantity(value) };
    const call = { from, to, data, gas: asQuantity(gas), ...sent };
    return this.#rpc.ask("eth_estimateGas", [call], quantity);
  }

  /** @param percentiles of the tips that were paid in each block, such as `[10, 50]` */
  getFeeHistory(blocks: number, percentiles: number[]): Promise<FeeHistory> {
    const params = [asQuantity(blocks), "latest", percentiles];
    return this.#rpc.ask("eth_feeHistory", params, feeHistory);
  }

  /** The id under which it was taken. `refused` says why it was not, which may be that the node has it already. */
  sendRawTransaction(rawHex: string): Promise<string> {
    return this.#rpc.ask("eth_sendRawTransaction", [rawHex], hash);
  }
}

function lowerCase(shape: RegExp) {
  return z.pipe(
    z.string().check(z.regex(shape)),
    z.transform((text) => text.toLowerCase()),
  );
}

function asTag(at: BlockTag | number): string {
  return typeof at === "number" ? asQuantity(at) : at;
}

function asQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
