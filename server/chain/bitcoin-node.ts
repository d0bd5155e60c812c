import { z } from "#core/zod.ts";

/** From the request to the last byte of the answer, where a method says nothing else. */
const answerWithinMs = 30_000;
/** A block as hex is 8 MB at most; the ids of a full mempool are about 20 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Why there is no answer: `unreachable` (no connection, or not in time), `unauthorized` (another user or password),
 * `warming-up` (it starts), `refused` (it answered with an error of its own, whose number is `code`), `malformed` (it
 * answered what no Bitcoin node answers).
 */
export type NodeFailure = "unreachable" | "unauthorized" | "warming-up" | "refused" | "malformed";

/** A node gave no usable answer. The message is short and holds no password. */
export class NodeError extends Error {
  override name = "NodeError";
  readonly failure: NodeFailure;
  /** The node's own number of the error (`RPC_…` in Bitcoin Core's protocol.h); null unless it is `refused`. */
  readonly code: number | null;

  constructor(failure: NodeFailure, message: string, code: number | null = null) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

/** Numbers of errors that a caller may want to tell apart. */
export const nodeErrors = {
  /** An unknown block or transaction. */
  notFound: -5,
  /** A height that the chain does not have. */
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

const feeEstimate = z.object({ feerate: z.optional(coins), blocks: z.int() });

/** What of a node's JSON is an amount of bitcoin: read as it was written, never as a floating point number. */
const amounts = new Set(["value", "amount", "total_amount", "feerate", "fee", "base"]);
const moreAmounts = new Set(["modified", "ancestor", "descendant", "effective-feerate"]);

const answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.int(), message: z.string() }))),
});

type Shape<T> = z.ZodMiniType<T>;

/**
 * Bitcoin Core's JSON-RPC, spoken over fetch: https://developer.bitcoin.org/reference/rpc. Amounts are satoshis. No wallet
 * of the node is used. Every method throws NodeError.
 */
export class BitcoinNode {
  readonly #url: string;
  readonly #authorization: string | null;
  readonly #stopping: AbortSignal | undefined;

  /** @param url with the user and password in it: `http://user:password@127.0.0.1:8332` */
  constructor(url: string, stopping?: AbortSignal) {
    const { username, password, protocol, host, pathname } = new URL(url);
    this.#url = `${protocol}//${host}${pathname}`;
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization = username ? `Basic ${Buffer.from(pair).toString("base64")}` : null;
    this.#stopping = stopping;
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

  /** The bytes of many transactions of the mempool as hex; null for one that is no longer there. */
  async getRawTransactions(txids: string[]): Promise<Array<string | null>> {
    const calls = txids.map((txid) => ["getrawtransaction", [txid]] as const);
    return this.#askMany(calls, hex, nodeErrors.notFound);
  }

  getMempool(): Promise<string[]> {
    return this.#ask("getrawmempool", [], z.array(hash));
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

  /** Every unspent output of descriptors, in blocks alone. Takes minutes on the main network, and one scan runs at a time. */
  scanTxOutSet(descriptors: Array<string | { desc: string; range: number }>) {
    const within = 30 * 60_000;
    return this.#ask("scantxoutset", ["start", descriptors], unspent, within);
  }

  /** Returns at the next block, or after a time at the latest, with the tip of that moment. */
  waitForNewBlock(timeoutMs: number): Promise<{ hash: string; height: number }> {
    const tip = z.object({ hash, height });
    return this.#ask("waitfornewblock", [timeoutMs], tip, timeoutMs + answerWithinMs);
  }

  async #ask<T>(
    method: string,
    params: readonly unknown[],
    shape: Shape<T>,
    withinMs = answerWithinMs,
  ): Promise<T> {
    const body = { jsonrpc: "1.0", id: 1, method, params };
    return resultOf(method, await this.#post(body, withinMs), shape);
  }

  /** One request for many calls; null where the error has the number that says so. */
  async #askMany<T>(
    calls: ReadonlyArray<readonly [string, readonly unknown[]]>,
    shape: Shape<T>,
    nullCode: number,
  ): Promise<Array<T | null>> {
    if (calls.length === 0) return [];
    const body = calls.map(([method, params], id) => ({ jsonrpc: "1.0", id, method, params }));
    const answers = z
      .array(z.looseObject({ id: z.int() }))
      .safeParse(await this.#post(body, answerWithinMs));
    if (!answers.success) throw new NodeError("malformed", "a batch was not answered as one");
    const byId = new Map(answers.data.map((each) => [each.id, each]));
    return Promise.all(
      calls.map(async ([method], id) =>
        orNull((async () => resultOf(method, byId.get(id), shape))(), nullCode),
      ),
    );
  }

  async #post(body: unknown, withinMs: number): Promise<unknown> {
    const timeout = AbortSignal.timeout(withinMs);
    const signal = this.#stopping ? AbortSignal.any([timeout, this.#stopping]) : timeout;
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        redirect: "error",
        signal,
        headers: {
          "content-type": "application/json",
          ...(this.#authorization && { authorization: this.#authorization }),
        },
        body: JSON.stringify(body),
      });
      if (response.status === 401 || response.status === 403) {
        await response.body?.cancel();
        throw new NodeError("unauthorized", `answered ${response.status}`);
      }
      return parse(await readLimited(response));
    } catch (error) {
      throw error instanceof NodeError ? error : new NodeError("unreachable", inShort(error));
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    throw new NodeError("malformed", "answered with no JSON");
  }
}

/** Keeps the digits of an amount (https://tc39.es/proposal-json-parse-with-source). */
function asWritten(key: string, value: unknown, context?: { source?: string }): unknown {
  const isAmount = typeof value === "number" && (amounts.has(key) || moreAmounts.has(key));
  return isAmount ? (context?.source ?? value) : value;
}

function resultOf<T>(method: string, given: unknown, shape: Shape<T>): T {
  const read = answer.safeParse(given);
  if (!read.success) throw new NodeError("malformed", `${method} answered in an unknown shape`);
  const { error, result } = read.data;
  if (error) {
    const failure = error.code === nodeErrors.warmingUp ? "warming-up" : "refused";
    throw new NodeError(failure, `${method}: ${error.message.slice(0, 200)}`, error.code);
  }
  const parsed = shape.safeParse(result);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".").slice(0, 60) || "the whole";
  throw new NodeError("malformed", `${method} answered in an unknown shape (at ${where})`);
}

async function orNull<T>(asked: Promise<T>, code: number): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NodeError && error.code === code) return null;
    throw error;
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new NodeError("malformed", "answered with more than 64 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function inShort(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return "no answer in time";
  if (name === "AbortError") return "not waited for";
  return cause?.code ? `cannot be reached (${cause.code})` : "cannot be reached";
}
