import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bytesToHex } from "@noble/hashes/utils.js";
import { createContract } from "micro-eth-signer/abi.js";
import { findAnvil } from "../../scripts/programs/find-anvil.ts";
import { EthereumNode } from "../../server/chain/ethereum/ethereum-node.ts";
import { freePort } from "./free-port.ts";
import { endNode, untilAnswers } from "./node-process.ts";

export interface SentTransaction {
  from?: string;
  to?: string;
  value?: bigint;
  data?: string;
  /** Without it the node tries the transaction first, and refuses what would fail. */
  gas?: bigint;
}

export interface RunningEthereumNode {
  /** What ETHEREUM_RPC_URL is given. */
  url: string;
  node: EthereumNode;
  /** Accounts with 10,000 ETH each, which the node itself signs for. The first has the tokens, too. */
  accounts: [string, string, string, ...string[]];
  /** A token like USDT: the contract's address. */
  usdt: string;
  /** A block is final when so many follow it. */
  finalAfter: number;
  /** Any method. The result is not checked. */
  call<T>(method: string, params?: unknown[]): Promise<T>;
  /** Sends a transaction, which waits for a block. Returns its txid. */
  send(transaction: SentTransaction): Promise<string>;
  pay(address: string, wei: bigint): Promise<string>;
  payTokens(address: string, units: bigint): Promise<string>;
  /** Makes a contract, and mines it. Returns its address. */
  deploy(name: TestContract): Promise<string>;
  /** Mines what waits, then as many blocks as were asked for; returns their hashes. */
  mine(blocks?: number): Promise<string[]>;
  /** Mines until all that there is is final. */
  finalize(): Promise<void>;
  /**
   * Takes the last `depth` blocks away and mines `instead` others (one more, unless told). The first of them holds
   * `again`; other transactions are gone for good.
   */
  reorganise(depth: number, options?: { instead?: number; again?: string[] }): Promise<void>;
  /** Ends it at once; what was mined is still there afterwards. */
  kill(): Promise<void>;
  /** On the same port, with the same chain. */
  restart(): Promise<void>;
  /** On the same port, with another chain of the same or another id. */
  restartAnew(chainId?: number): Promise<void>;
  stop(): Promise<void>;
}

const compiled = path.join(import.meta.dirname, "../fixtures/ethereum/test-contracts.json");
export type TestContract = "TestUsdt" | "Splitter";
const contracts: Record<TestContract, { abi: never; bytecode: string }> = JSON.parse(
  readFileSync(compiled, "utf8"),
);

/** Chains of tests (as anvil and Hardhat number them). */
export const testChainId = 31_337;
/** Anvil calls a block final when two epochs follow it: one slot each here. */
const finalAfter = 2;
const supply = 1_000_000_000n * 10n ** 6n;
const flags = [
  ...["--host", "127.0.0.1", "--no-mining", "--quiet", "--order", "fifo"],
  ...["--slots-in-an-epoch", String(finalAfter / 2), "--hardfork", "prague"],
];

/** Starts a real Ethereum node (anvil) on a chain of its own, with a token like USDT. Nothing is mined unless asked for. */
export async function startEthereumNode(): Promise<RunningEthereumNode> {
  const anvil = findAnvil();
  const folder = mkdtempSync(path.join(tmpdir(), "assay-ethereum-"));
  const state = path.join(folder, "state.json");
  /** The keys of its accounts come out of this. */
  const seed = String(randomInt(2 ** 47));
  const kept = [
    "--chain-id",
    String(testChainId),
    "--state",
    state,
    "--preserve-historical-states",
  ];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const node = new EthereumNode(url);
  let child: ChildProcess;

  const start = async (...more: string[]) => {
    const own = ["--port", String(port), "--mnemonic-seed-unsafe", seed];
    child = spawn(anvil, [...flags, ...own, ...more], { stdio: "ignore" });
    await untilAnswers(child, () => node.getChainId());
  };
  const end = (signal: NodeJS.Signals) => endNode(child, signal);
  const call: RunningEthereumNode["call"] = async (method, params = []) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: never;
      error?: { message: string };
    };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  await start(...kept);
  const accounts = await call<RunningEthereumNode["accounts"]>("eth_accounts");
  const send = ({ from = accounts[0], value = 0n, gas, ...rest }: SentTransaction) => {
    const amounts = {
      value: `0x${value.toString(16)}`,
      ...(gas && { gas: `0x${gas.toString(16)}` }),
    };
    return call<string>("eth_sendTransaction", [{ from, ...rest, ...amounts }]);
  };
  const mine = async (blocks = 1) => {
    const hashes: string[] = [];
    for (let i = 0; i < blocks; i++) {
      await call("evm_mine");
      hashes.push((await node.getHeader("latest"))?.hash ?? "");
    }
    return hashes;
  };
  const deploy = async (name: TestContract) => {
    const { bytecode } = contracts[name];
    const argument = name === "TestUsdt" ? supply.toString(16).padStart(64, "0") : "";
    const txid = await send({ data: bytecode + argument });
    await mine();
    const receipt = await node.getReceipt(txid);
    if (!receipt?.contractAddress) throw new Error(`${name} was not deployed`);
    return receipt.contractAddress;
  };
  const usdt = await deploy("TestUsdt");

  return {
    url,
    node,
    accounts,
    usdt,
    finalAfter,
    call,
    send,
    deploy,
    mine,
    pay: (to, wei) => send({ to, value: wei }),
    payTokens: (to, units) =>
      send({ to: usdt, data: encodeCall("TestUsdt", "transfer", { to, value: units }) }),
    finalize: async () => void (await mine(finalAfter)),
    async reorganise(depth, { instead = depth + 1, again = [] } = {}) {
      const raw = await Promise.all(
        again.map((txid) => call<string>("eth_getRawTransactionByHash", [txid])),
      );
      await call("anvil_reorg", [depth, raw.map((each) => [each, 0])]);
      if (instead > depth) await mine(instead - depth);
    },
    kill: () => end("SIGINT"),
    restart: () => start(...kept),
    async restartAnew(chainId = testChainId) {
      await end("SIGKILL");
      await start("--chain-id", String(chainId));
    },
    async stop() {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a transaction carries to call a contract's method. */
export function encodeCall(contract: TestContract, method: string, args: unknown): string {
  const methods = createContract(contracts[contract].abi) as Record<
    string,
    { encodeInput(args: unknown): Uint8Array }
  >;
  return `0x${bytesToHex(methods[method]?.encodeInput(args) ?? new Uint8Array())}`;
}
