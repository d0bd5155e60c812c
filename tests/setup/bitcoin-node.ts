import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { toDecimal } from "../../core/money.ts";
import { ensureBitcoind } from "../../scripts/programs/get-bitcoind.ts";
import { BitcoinNode } from "../../server/chain/bitcoin/bitcoin-node.ts";
import { freePort } from "./free-port.ts";
import { endNode, untilAnswers } from "./node-process.ts";

export interface RunningBitcoinNode {
  /** With the user and password: what BITCOIN_RPC_URL is given. */
  url: string;
  node: BitcoinNode;
  /** Any method, also of the wallet that pays and mines. The result is not checked. */
  call<T>(method: string, params?: unknown[], wallet?: string): Promise<T>;
  /** Pays from the node's own wallet; the transaction waits for a block. Returns its txid. */
  pay(address: string, sats: bigint): Promise<string>;
  /** Several payments in one transaction. */
  payMany(outputs: Record<string, bigint>): Promise<string>;
  /** Mines what the mempool holds, as so many blocks; returns their hashes. */
  mine(blocks?: number): Promise<string[]>;
  /** Mines so many blocks without a transaction. */
  mineEmpty(blocks?: number): Promise<void>;
  /** Takes the last `depth` blocks away and mines `instead` empty ones (one more, unless told): their payments wait again. */
  reorganise(depth: number, instead?: number): Promise<void>;
  /** Spends what an unconfirmed payment spends, back to the node itself: the payment will never confirm. Returns the txid. */
  doubleSpend(txid: string): Promise<string>;
  /** SIGKILL, and waits for the end. What was mined is still there afterwards. */
  kill(): Promise<void>;
  /** On the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const wallet = "miner";
const flags = [
  ...["-regtest", "-server", "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1", "-listen=0"],
  // As nodes do by themselves from version 30 on.
  ...["-minrelaytxfee=0.000001", "-incrementalrelayfee=0.000001", "-blockmintxfee=0.00000001"],
  ...["-dnsseed=0", "-fallbackfee=0.0001", "-printtoconsole=0", "-dbcache=16", "-txindex=0"],
  ...["-rpcuser=test", "-rpcpassword=test", "-maxtxfee=1", "-addresstype=bech32", "-keypool=20"],
];
/** What Bitcoin Knots refuses beyond Bitcoin Core, unless told. */
const knotsFlags = ["-corepolicy", "-rejectparasites=0", "-rejecttokens=0"];

/** Starts a real Bitcoin node on a chain of its own (regtest), with 101 blocks and coins to pay with. */
export async function startBitcoinNode(): Promise<RunningBitcoinNode> {
  const bitcoind = ensureBitcoind();
  const folder = mkdtempSync(path.join(tmpdir(), "assay-bitcoin-"));
  const port = await freePort();
  const url = `http://test:test@127.0.0.1:${port}`;
  const node = new BitcoinNode(url);
  let child: ChildProcess;

  const start = async () => {
    const places = [`-datadir=${folder}`, `-rpcport=${port}`];
    child = spawn(bitcoind, [...flags, ...knotsFlags, ...places], { stdio: "ignore" });
    await untilAnswers(child, () => node.getBlockchainInfo());
  };
  const end = (signal: NodeJS.Signals) => endNode(child, signal);
  const call: RunningBitcoinNode["call"] = async (method, params = [], inWallet) => {
    const response = await fetch(
      `http://127.0.0.1:${port}${inWallet ? `/wallet/${inWallet}` : ""}`,
      {
        method: "POST",
        headers: { authorization: `Basic ${btoa("test:test")}` },
        body: JSON.stringify({ jsonrpc: "1.0", id: 1, method, params }),
      },
    );
    const { result, error } = await response.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const own = () => call<string>("getnewaddress", [], wallet);

  await start();
  await call("createwallet", [wallet]);
  await call("generatetoaddress", [101, await own()]);
  const mineEmpty = async (blocks = 1) => {
    for (let i = 0; i < blocks; i++) await call("generateblock", [await own(), []]);
  };
  return {
    url,
    node,
    call,
    pay: (address, sats) => call("sendtoaddress", [address, toDecimal(sats, "BTC")], wallet),
    payMany: (outputs) => {
      const amounts = Object.entries(outputs).map(([to, sats]) => [to, toDecimal(sats, "BTC")]);
      return call("sendmany", ["", Object.fromEntries(amounts)], wallet);
    },
    mine: async (blocks = 1) => call("generatetoaddress", [blocks, await own()]),
    mineEmpty,
    async reorganise(depth, instead = depth + 1) {
      const tip = await call<number>("getblockcount");
      await call("invalidateblock", [await call("getblockhash", [tip - depth + 1])]);
      await mineEmpty(instead);
    },
    async doubleSpend(txid) {
      const decoded = async (id: string) => {
        const { hex } = await call<{ hex: string }>("gettransaction", [id], wallet);
        return call<DecodedTransaction>("decoderawtransaction", [hex]);
      };
      const { vin } = await decoded(txid);
      const inputs = vin.map((input) => ({ txid: input.txid, vout: input.vout, sequence: 1 }));
      const values = await Promise.all(
        vin.map(async (input) => (await decoded(input.txid)).vout[input.vout]?.value ?? 0),
      );
      const fee = 0.01;
      const back = values.reduce((sum, value) => sum + value, -fee);
      const raw = await call("createrawtransaction", [
        inputs,
        [{ [await own()]: back.toFixed(8) }],
      ]);
      const { hex } = await call<{ hex: string }>("signrawtransactionwithwallet", [raw], wallet);
      return call("sendrawtransaction", [hex, 0]);
    },
    async kill() {
      // A node writes its chain down now and then: this makes it do so, or a killed one would begin anew.
      await call("gettxoutsetinfo", ["none"]);
      await end("SIGKILL");
    },
    restart: async () => {
      await start();
      await call("loadwallet", [wallet]).catch(() => {});
    },
    async stop() {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface DecodedTransaction {
  vin: Array<{ txid: string; vout: number }>;
  vout: Array<{ value: number }>;
}
