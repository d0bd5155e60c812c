import { hash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { hexToBytes } from "@noble/hashes/utils.js";
import { CompactSize, RawTx } from "@scure/btc-signer";
import { merkleRoot } from "../bitcoin/parse-block.ts";

/** The first block of every regtest, and the easiest target that there is: a second try suffices. */
export const firstBlock = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206";
export const firstTime = 1_296_688_602;
const easiestBits = 0x207fffff;

export interface SimulatedOutput {
  sats: bigint;
  /** As hexadecimal digits. */
  script: string;
}

export interface SimulatedTransaction {
  txid: string;
  hex: string;
  vsize: number;
  /** `txid:vout` of what it spends; nothing real for payments of strangers. */
  spends: string[];
  outputs: SimulatedOutput[];
}

export interface SimulatedBlock {
  height: number;
  hash: string;
  /** Seconds since 1970. */
  time: number;
  hex: string;
  transactions: SimulatedTransaction[];
}

/**
 * A Bitcoin chain (regtest) that exists in one file alone: real blocks and transactions, whose signatures nobody checks. The demo
 * is shown with it what a node would show. Lines of the file are blocks and waiting transactions, in the order in which they came.
 */
export class SimulatedChain {
  readonly #file: string;
  readonly #blocks: SimulatedBlock[] = [];
  readonly #waiting = new Map<string, SimulatedTransaction>();
  /** Of all unspent outputs the block's height; of those that wait, null. */
  readonly #unspent = new Map<string, SimulatedOutput & { height: number }>();

  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) writeFileSync(file, "");
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const [kind, first = "", ...rest] = line.split(" ");
      if (kind === "block") this.#build(Number(first), rest);
      if (kind === "waits") this.#wait(readTransaction(first));
    }
  }

  get height(): number {
    return this.#blocks.length;
  }

  get tip(): { height: number; hash: string; time: number } {
    return this.#blocks.at(-1) ?? { height: 0, hash: firstBlock, time: firstTime };
  }

  hashAt(height: number): string | null {
    if (height === 0) return firstBlock;
    return this.#blocks[height - 1]?.hash ?? null;
  }

  findBlock(hash: string): SimulatedBlock | null {
    return this.#blocks.find((block) => block.hash === hash) ?? null;
  }

  findTransaction(
    txid: string,
  ): { found: SimulatedTransaction; block: SimulatedBlock | null } | null {
    const waiting = this.#waiting.get(txid);
    if (waiting) return { found: waiting, block: null };
    for (const block of this.#blocks) {
      const found = block.transactions.find((each) => each.txid === txid);
      if (found) return { found, block };
    }
    return null;
  }

  listWaiting(): SimulatedTransaction[] {
    return [...this.#waiting.values()];
  }

  /** Unspent outputs of blocks, by `txid:vout`. */
  get unspent(): ReadonlyMap<string, SimulatedOutput & { height: number }> {
    return this.#unspent;
  }

  /** What the transactions that wait would spend. */
  isSpentByWaiting(outpoint: string): boolean {
    return this.listWaiting().some(({ spends }) => spends.includes(outpoint));
  }

  /** Takes a signed transaction among those that wait. */
  send(hex: string): string {
    const transaction = readTransaction(hex);
    if (!this.findTransaction(transaction.txid)) {
      appendFileSync(this.#file, `waits ${hex}\n`);
      this.#wait(transaction);
    }
    return transaction.txid;
  }

  /** Somebody of the simulation pays: the coins come from nowhere. `seed` makes its id. */
  pay(outputs: SimulatedOutput[], seed: string): string {
    return this.send(writeTransaction([`${hash("sha256", seed)}:0`], outputs));
  }

  /** The wallet's owner spends a coin by another program, in place of what waits and spends it. */
  spend(outpoint: string, outputs: SimulatedOutput[]): string {
    return this.send(writeTransaction([outpoint], outputs));
  }

  /** Makes a block of what waits, but for what is known to pay less than one satoshi for a byte. */
  mine(at: Date): SimulatedBlock {
    const taken = this.listWaiting().filter((each) => {
      const fee = this.feeOf(each);
      return fee === null || fee >= BigInt(each.vsize);
    });
    const time = Math.max(Math.floor(at.getTime() / 1000), this.tip.time + 1);
    const held = [coinbaseOf(this.height + 1), ...taken.map(({ hex }) => hex)];
    appendFileSync(this.#file, `block ${time} ${held.join(" ")}\n`);
    return this.#build(time, held);
  }

  #build(time: number, held: string[]): SimulatedBlock {
    const [height, previous] = [this.height + 1, this.tip.hash];
    const block = buildBlock({ height, previous, time, transactions: held.map(readTransaction) });
    this.#take(block);
    return block;
  }

  /** Null: some of what it spends came from nowhere. */
  feeOf({ spends, outputs }: SimulatedTransaction): bigint | null {
    let fee = outputs.reduce((left, { sats }) => left - sats, 0n);
    for (const outpoint of spends) {
      const spent = this.findOutput(outpoint);
      if (!spent) return null;
      fee += spent.sats;
    }
    return fee;
  }

  findOutput(outpoint: string): SimulatedOutput | null {
    const [txid = "", vout] = outpoint.split(":");
    return this.findTransaction(txid)?.found.outputs[Number(vout)] ?? null;
  }

  #wait(transaction: SimulatedTransaction): void {
    for (const { txid, spends } of this.listWaiting()) {
      if (spends.some((each) => transaction.spends.includes(each))) this.#waiting.delete(txid);
    }
    this.#waiting.set(transaction.txid, transaction);
  }

  #take(block: SimulatedBlock): void {
    this.#blocks.push(block);
    for (const { txid, spends, outputs } of block.transactions) {
      this.#waiting.delete(txid);
      for (const outpoint of spends) this.#unspent.delete(outpoint);
      outputs.forEach((output, vout) => {
        this.#unspent.set(`${txid}:${vout}`, { ...output, height: block.height });
      });
    }
  }
}

/** Nothing but a height goes into it, and its coins belong to nobody. */
function coinbaseOf(height: number): string {
  const script = Buffer.from([4, height & 255, (height >> 8) & 255, (height >> 16) & 255, 0]);
  return writeTransaction([`${"0".repeat(64)}:4294967295`], [{ sats: 0n, script: "6a" }], script);
}

function writeTransaction(
  spends: string[],
  outputs: SimulatedOutput[],
  finalScriptSig: Uint8Array = new Uint8Array(),
): string {
  const inputs = spends.map((outpoint) => {
    const [txid = "", index] = outpoint.split(":");
    return { txid: hexToBytes(txid), index: Number(index), finalScriptSig, sequence: 0xffffffff };
  });
  const bytes = RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs,
    lockTime: 0,
    outputs: outputs.map(({ sats, script }) => ({ amount: sats, script: hexToBytes(script) })),
  });
  return Buffer.from(bytes).toString("hex");
}

export function readTransaction(hex: string): SimulatedTransaction {
  const raw = RawTx.decode(hexToBytes(hex));
  const plain = RawTx.encode({ ...raw, segwitFlag: false, witnesses: undefined });
  const total = hex.length / 2;
  return {
    txid: reversed(sha256d(plain)),
    hex,
    vsize: Math.ceil((plain.length * 3 + total) / 4),
    spends: raw.inputs.map(({ txid, index }) => `${toHex(txid)}:${index}`),
    outputs: raw.outputs.map(({ amount, script }) => ({ sats: amount, script: toHex(script) })),
  };
}

function buildBlock(block: {
  height: number;
  previous: string;
  time: number;
  transactions: SimulatedTransaction[];
}): SimulatedBlock {
  const { height, previous, time, transactions } = block;
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000);
  Buffer.from(previous, "hex").reverse().copy(header, 4);
  merkleRoot(transactions.map(({ txid }) => Buffer.from(txid, "hex").reverse()))?.copy(header, 36);
  header.writeUInt32LE(time, 68);
  header.writeUInt32LE(easiestBits, 72);
  const hashOf = () => reversed(sha256d(header));
  // The target begins with 7f: every second try is below it.
  for (let nonce = 1; hashOf() >= "7f"; nonce += 1) header.writeUInt32LE(nonce, 76);
  const count = CompactSize.encode(BigInt(transactions.length));
  const hex = header.toString("hex") + toHex(count) + transactions.map((each) => each.hex).join("");
  return { height, hash: hashOf(), time, hex, transactions };
}

function sha256d(bytes: Uint8Array): Buffer {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

function reversed(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex");
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
