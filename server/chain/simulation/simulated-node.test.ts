import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bytesToHex } from "@noble/hashes/utils.js";
import { afterAll, expect, test } from "vitest";
import { deriveAddress, deriveOutput } from "#core/wallet/derive-address.ts";
import { nodeDescriptor } from "#core/wallet/node-descriptor.ts";
import { parseWalletKey } from "#core/wallet/wallet-key.ts";
import { newTestDescriptor } from "#tests/factories/chain.ts";
import { BitcoinNode } from "../bitcoin/bitcoin-node.ts";
import { bitcoinNodeSource } from "../bitcoin/bitcoin-node-source.ts";
import { checkBlock } from "../bitcoin/check-block.ts";
import { judgeTip } from "../bitcoin/judge-tip.ts";
import { SimulatedChain } from "./simulated-chain.ts";
import { startSimulatedNode } from "./start-simulated-node.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-simulated-"));
const file = path.join(folder, "chain");
const noon = new Date("2026-03-10T12:00:00Z");
const chain = new SimulatedChain(file);
const running = await startSimulatedNode(chain, () => noon);
const node = new BitcoinNode(running.url);
const source = bitcoinNodeSource(running.url);
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});
const key = parseWalletKey(newTestDescriptor(), "bitcoin", "regtest");
if (typeof key === "string") throw new Error(key);
const script = bytesToHex(deriveOutput(key, 2, 2).script);

test("a simulated block is believed as a real one is, and holds what waited", async () => {
  const txid = chain.pay([{ sats: 250_000n, script }], "somebody");
  expect(await node.getMempool()).toEqual([txid]);
  chain.mine(noon);
  const tip = await judgeTip(source, "regtest", noon);
  const before = { height: 0, hash: (await source.hashAt(0)) ?? "", bits: null };
  const bytes = await source.readBlock(tip.hash);
  const block = checkBlock(bytes, { hash: tip.hash, before, network: "regtest" });
  expect(block.transactions.map((each) => each.txid)).toContain(txid);
  expect(await node.getMempool()).toEqual([]);
});

test("a scan finds what a wallet can spend until it is spent, and says where in the wallet it is", async () => {
  const wanted = [{ desc: nodeDescriptor(key, 2), range: 5 }];
  const [coin] = (await node.scanTxOutSet(wanted)).unspents;
  expect(coin).toMatchObject({ amount: 250_000n, height: 1 });
  expect(coin?.desc).toContain("/2/2]");
  const address = `addr(${deriveAddress(key, 2, 2)})`;
  expect((await node.scanTxOutSet([address])).unspents).toEqual([{ ...coin, desc: address }]);
  chain.spend(`${coin?.txid}:${coin?.vout}`, [{ sats: 240_000n, script: "6a" }]);
  chain.mine(noon);
  expect((await node.scanTxOutSet(wanted)).unspents).toEqual([]);
});

test("a fee below one satoshi for a byte waits, and its coin can be spent otherwise", async () => {
  const made = chain.pay([{ sats: 100_000n, script }], "somebody else");
  chain.mine(noon);
  const outpoint = `${made}:0`;
  const cheap = chain.spend(outpoint, [{ sats: 99_999n, script }]);
  chain.mine(noon);
  expect(await node.getMempool()).toEqual([cheap]);
  const dearer = chain.spend(outpoint, [{ sats: 90_000n, script }]);
  chain.mine(noon);
  expect(await node.getMempool()).toEqual([]);
  expect(await node.getRawTransaction(dearer)).toMatchObject({ confirmations: 1 });
  expect(await node.getRawTransaction(cheap)).toBeNull();
});

test("a chain that is opened again is the same chain", () => {
  const waiting = chain.pay([{ sats: 5_000n, script }], "the last one");
  const again = new SimulatedChain(file);
  expect(again.tip).toEqual(chain.tip);
  expect(again.listWaiting().map(({ txid }) => txid)).toEqual([waiting]);
  expect([...again.unspent]).toEqual([...chain.unspent]);
});
