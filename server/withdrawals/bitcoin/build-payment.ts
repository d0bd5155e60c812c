import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { selectUTXO, type Transaction } from "@scure/btc-signer";
import {
  bitcoinNetworks,
  deriveAddress,
  deriveOutput,
  derivePublicKey,
} from "#core/wallet/derive-address.ts";
import type { Branch, WalletKey } from "#core/wallet/wallet-key.ts";
import { type Coin, outpointOf } from "./coin.ts";
import { scriptOfMark } from "./mark.ts";

/** Signals that the transaction may be replaced by one with a higher fee (BIP 125). */
const replaceable = 0xfffffffd;

export interface Payment {
  /** BIP 174, not signed: with the coins' amounts and the paths of our keys, all that an offline signer needs. */
  psbt: Uint8Array;
  /** Signatures stand in the witness: it does not change when it is signed. */
  txid: string;
  feeUnits: bigint;
  /** Virtual bytes once it is signed, one for each signature more at most. */
  vsize: number;
  /** 0: what was over was too little for an output, and is part of the fee. */
  changeUnits: bigint;
  /** The coins that it spends. */
  coins: Coin[];
}

export interface PaymentPlan {
  key: WalletKey;
  /** Spent in any case. */
  required: Coin[];
  /** Spent as far as they are needed. */
  others: Coin[];
  /** Whole transactions that coins come from, as hex, by txid: signers of version 0 outputs check the amounts against them. */
  sources: Map<string, string>;
  pays: Array<{ address: string; units: bigint }>;
  /** The digest that it carries beside payments; null: none. */
  mark: Uint8Array | null;
  changeIndex: number;
  /** Satoshis per 1,000 virtual bytes. */
  feePerKvb: number;
}

/**
 * Builds the transaction that pays everybody, with change to the wallet itself; without payments all of it is change. Null: the
 * coins do not suffice.
 */
export function buildPayment(plan: PaymentPlan): Payment | null {
  const { key, changeIndex } = plan;
  const selected = select(plan);
  const tx = selected?.tx;
  if (!selected || !tx) return null;
  const change = deriveOutput(key, changeIndex, 1);
  const changeUnits = describeChange(tx, change.script, key, changeIndex);
  const feeUnits = tx.fee;
  if (feeUnits <= 0n || (plan.pays.length === 0 && changeUnits === 0n)) return null;
  const coins = coinsOf(plan, selected.inputs);
  const vsize = Math.ceil(selected.weight / 4);
  return { psbt: tx.toPSBT(0), txid: txidOf(tx.unsignedTx), feeUnits, vsize, changeUnits, coins };
}

/** Chooses coins at the next whole rate, which is as far as the library counts, and gives what that is too much to the change. */
function select(plan: PaymentPlan) {
  const { key, required, others, pays, mark, changeIndex, feePerKvb } = plan;
  const whole = BigInt(Math.ceil(feePerKvb / 1000));
  const changeAddress = deriveAddress(key, changeIndex, 1);
  const network = bitcoinNetworks[key.network];
  const paid = pays.map(({ address, units: amount }) => ({ address, amount }));
  const outputs = [...paid, ...(mark ? [{ script: scriptOfMark(mark), amount: 0n }] : [])];
  const options = {
    changeAddress,
    network,
    bip69: true,
    createTx: true,
    allowUnknownOutputs: true,
  };
  const selected = selectUTXO(
    others.map((coin) => toInput(plan, coin)),
    outputs,
    pays.length === 0 ? "all" : "default",
    {
      ...options,
      feePerByte: whole,
      requiredInputs: required.map((coin) => toInput(plan, coin)),
    },
  );
  if (!selected?.change || feePerKvb % 1000 === 0) return selected;
  const vsize = BigInt(Math.ceil(selected.weight / 4));
  const fee = (vsize * BigInt(feePerKvb) + 999n) / 1000n;
  const coins = coinsOf(plan, selected.inputs);
  const spent = coins.reduce((sum, { units }) => sum + units, 0n);
  const amount = spent - pays.reduce((sum, { units }) => sum + units, 0n) - fee;
  // No second change: what the library finds left over is the fee.
  const exact = { ...options, feePerByte: whole - 1n, dust: 10n ** 15n };
  // Required: a coin that costs more than it is worth would be left out.
  const requiredInputs = coins.map((coin) => toInput(plan, coin));
  return selectUTXO([], [...outputs, { address: changeAddress, amount }], "all", {
    ...exact,
    requiredInputs,
  });
}

/** The coins that inputs spend. */
function coinsOf(
  { required, others }: PaymentPlan,
  inputs: Array<{ txid?: Uint8Array | undefined; index?: number | undefined }>,
): Coin[] {
  const all = new Map([...required, ...others].map((coin) => [outpointOf(coin), coin]));
  return inputs.map(({ txid, index }) => {
    const coin = all.get(`${bytesToHex(txid ?? new Uint8Array())}:${index}`);
    if (!coin) throw new Error("a coin was selected that nobody offered");
    return coin;
  });
}

function toInput({ key, sources }: PaymentPlan, coin: Coin) {
  const { txid, vout, units, branch, index } = coin;
  const { script } = deriveOutput(key, index, branch);
  const source = sources.get(txid);
  const input = {
    txid,
    index: vout,
    sequence: replaceable,
    witnessUtxo: { script, amount: units },
    ...derivationOf(key, index, branch),
  };
  return source && key.script === "p2wpkh"
    ? { ...input, nonWitnessUtxo: hexToBytes(source) }
    : input;
}

/** Tells the signer that the change is his own, so that he need not ask whom it pays. */
function describeChange(tx: Transaction, script: Uint8Array, key: WalletKey, index: number) {
  for (let i = 0; i < tx.outputsLength; i++) {
    const output = tx.getOutput(i);
    if (!output.script || Buffer.compare(output.script, script) !== 0) continue;
    tx.updateOutput(i, derivationOf(key, index, 1));
    return output.amount ?? 0n;
  }
  return 0n;
}

function derivationOf(key: WalletKey, index: number, branch: Branch) {
  const publicKey = derivePublicKey(key.xpub, index, branch);
  const { fingerprint, path } = originOf(key);
  const der = { fingerprint, path: [...path, branch, index] };
  if (key.script !== "p2tr") return { bip32Derivation: [[publicKey, der]] as never };
  const xOnly = publicKey.slice(1);
  return { tapInternalKey: xOnly, tapBip32Derivation: [[xOnly, { hashes: [], der }]] as never };
}

/** Where the account's key comes from; of a key that does not say so, the key itself is the root. */
function originOf({ descriptor, xpub }: WalletKey): { fingerprint: number; path: number[] } {
  const [, fingerprint, steps = ""] = /\[([0-9a-f]{8})((?:\/\d+h?)*)\]/.exec(descriptor) ?? [];
  if (!fingerprint) return { fingerprint: HDKey.fromExtendedKey(xpub).fingerprint, path: [] };
  const path = steps
    .split("/")
    .slice(1)
    .map((step) => Number.parseInt(step, 10) + (step.endsWith("h") ? 0x80000000 : 0));
  return { fingerprint: Number.parseInt(fingerprint, 16), path };
}

/** Of the bytes without witnesses. */
export function txidOf(unsigned: Uint8Array): string {
  return bytesToHex(sha256(sha256(unsigned)).reverse());
}
