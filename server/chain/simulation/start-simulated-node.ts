import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Address, OutScript } from "@scure/btc-signer";
import { toDecimal } from "#core/money.ts";
import { bitcoinNetworks, deriveOutput } from "#core/wallet/derive-address.ts";
import { type Branch, parseWalletKey } from "#core/wallet/wallet-key.ts";
import { nodeErrors } from "../bitcoin/bitcoin-node.ts";
import { firstBlock, firstTime, readTransaction, type SimulatedChain } from "./simulated-chain.ts";

type Params = Array<string | number | boolean | object>;

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Starts a node of the demo's own chain on a free port of 127.0.0.1. It speaks as Bitcoin Core does, as far as the product
 * asks; a block comes every ten minutes.
 */
export async function startSimulatedNode(
  chain: SimulatedChain,
  now: () => Date,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const asked = JSON.parse(Buffer.concat(parts).toString());
    const answers = Array.isArray(asked)
      ? asked.map((each) => answer(chain, each))
      : answer(chain, asked);
    response.setHeader("content-type", "application/json");
    response.end(toJson(answers));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mining = setInterval(() => chain.mine(now()), 600_000).unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://demo:demo@127.0.0.1:${port}`,
    async stop() {
      clearInterval(mining);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  chain: SimulatedChain,
  { id, method, params }: { id: number; method: string; params: Params },
) {
  try {
    const ask = methods[method];
    if (!ask) throw new RpcError(-32601, "Method not found");
    return { id, error: null, result: ask(chain, params) };
  } catch (error) {
    const code = error instanceof RpcError ? error.code : -1;
    return { id, result: null, error: { code, message: (error as Error).message } };
  }
}

/** Amounts are satoshis here, and decimals of a bitcoin on the wire: eight digits, as the node writes them. */
function toJson(answered: unknown): string {
  const marked = JSON.stringify(answered, (_, value) =>
    typeof value === "bigint" ? `@${toDecimal(value, "BTC")}@` : value,
  );
  return marked.replace(/"@([\d.-]+)@"/g, "$1");
}

const notFound = (what: string) => new RpcError(nodeErrors.notFound, `${what} not found`);

/** What of Bitcoin Core's JSON-RPC the product asks. */
const methods: Record<string, (chain: SimulatedChain, params: Params) => unknown> = {
  getblockchaininfo: ({ tip }) => ({
    chain: "regtest",
    blocks: tip.height,
    headers: tip.height,
    bestblockhash: tip.hash,
    initialblockdownload: false,
    time: tip.time,
    pruned: false,
  }),
  getblockhash: (chain, [height]) => {
    const hash = chain.hashAt(Number(height));
    if (hash === null) throw new RpcError(nodeErrors.outOfRange, "Block height out of range");
    return hash;
  },
  getblockheader: (chain, [hash]) => {
    const { height, time } = findPlace(chain, String(hash));
    const before = chain.hashAt(height - 1);
    return {
      hash,
      height,
      confirmations: chain.height - height + 1,
      time,
      mediantime: time,
      ...(before && { previousblockhash: before }),
    };
  },
  getblock: (chain, [hash]) => {
    const block = chain.findBlock(String(hash));
    if (!block) throw notFound("Block");
    return block.hex;
  },
  getrawmempool: (chain) => chain.listWaiting().map(({ txid }) => txid),
  getmempoolinfo: () => ({
    mempoolminfee: 100n,
    minrelaytxfee: 100n,
    incrementalrelayfee: 100n,
  }),
  getmempoolentry: (chain, [txid]) => {
    const waiting = chain.listWaiting().find((each) => each.txid === txid);
    if (!waiting) throw notFound("Transaction");
    const fee = chain.feeOf(waiting) ?? 500n;
    const fees = { base: fee, modified: fee, descendant: fee };
    return { vsize: waiting.vsize, time: chain.tip.time, fees, "bip125-replaceable": true };
  },
  getrawtransaction: (chain, [txid, verbosity = 0]) => {
    const known = chain.findTransaction(String(txid));
    if (!known) throw notFound("Transaction");
    const { found, block } = known;
    if (Number(verbosity) === 0) return found.hex;
    const vout = found.outputs.map(({ sats }) => ({ value: sats }));
    const fee = chain.feeOf(found);
    return {
      txid,
      hex: found.hex,
      vsize: found.vsize,
      vout,
      ...(fee !== null && { fee }),
      ...(block && {
        blockhash: block.hash,
        blocktime: block.time,
        confirmations: chain.height - block.height + 1,
      }),
    };
  },
  sendrawtransaction: (chain, [hex]) => chain.send(String(hex)),
  testmempoolaccept: (_, [hexes]) =>
    (hexes as string[]).map((hex) => {
      const { txid, vsize } = readTransaction(hex);
      return { txid, allowed: true, vsize, fees: { base: 0n } };
    }),
  estimatesmartfee: () => ({ feerate: 2_000n, blocks: 6 }),
  gettxout: (chain, [txid, vout, withMempool = true]) => {
    const outpoint = `${txid}:${vout}`;
    const found = chain.unspent.get(outpoint);
    if (!found || (withMempool && chain.isSpentByWaiting(outpoint))) return null;
    return {
      bestblock: chain.tip.hash,
      confirmations: chain.height - found.height + 1,
      value: found.sats,
      scriptPubKey: { hex: found.script },
      coinbase: false,
    };
  },
  scantxoutset: (chain, [, wanted]) => scan(chain, wanted as Wanted[]),
};

/** An address, as `addr(…)`, or a wallet's branch. */
type Wanted = string | { desc: string; range: number };

function findPlace(chain: SimulatedChain, hash: string): { height: number; time: number } {
  if (hash === firstBlock) return { height: 0, time: firstTime };
  const block = chain.findBlock(hash);
  if (!block) throw notFound("Block");
  return block;
}

function scan(chain: SimulatedChain, wanted: Wanted[]) {
  const known = new Map(
    wanted.flatMap((each) =>
      typeof each === "string" ? [scriptOf(each)] : listScripts(each.desc, each.range),
    ),
  );
  const unspents = [...chain.unspent].flatMap(([outpoint, { sats, script, height }]) => {
    const desc = known.get(script);
    const [txid = "", vout] = outpoint.split(":");
    const blockhash = chain.hashAt(height);
    const place = { height, blockhash, coinbase: false };
    return desc
      ? [{ txid, vout: Number(vout), scriptPubKey: script, desc, amount: sats, ...place }]
      : [];
  });
  return { success: true, height: chain.height, bestblock: chain.tip.hash, unspents };
}

function scriptOf(desc: string): [script: string, desc: string] {
  const address = /^addr\((\w+)\)$/.exec(desc)?.[1] ?? "";
  const output = OutScript.encode(Address(bitcoinNetworks.regtest).decode(address));
  return [Buffer.from(output).toString("hex"), desc];
}

/** The scripts of a branch, each with what the node would call it: the key's place in brackets. */
function listScripts(desc: string, range: number): Array<[script: string, desc: string]> {
  const branch = Number(/\/([012])\/\*\)/.exec(desc)?.[1] ?? 0) as Branch;
  const body = (desc.split("#")[0] ?? "").replace(/\/[012]\/\*\)/, "/0/*)");
  const key = parseWalletKey(body, "bitcoin", "regtest");
  if (typeof key === "string") throw new RpcError(-5, `no such descriptor: ${key}`);
  return Array.from({ length: range + 1 }, (_, index) => [
    Buffer.from(deriveOutput(key, index, branch).script).toString("hex"),
    `wpkh([00000000/${branch}/${index}]00)`,
  ]);
}
