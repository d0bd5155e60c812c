import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import { Address, OutScript, SigHash, Transaction } from "@scure/btc-signer";
import { formatAmount } from "#core/money.ts";
import type { Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { SignedFault } from "../batches/signed-fault.ts";
import { txidOf } from "./build-payment.ts";
import { listMarksOf, markOf, pushOfMark } from "./mark.ts";

/** Longer is no transaction that a node relays. */
const maxBytes = 1_000_000;

/** Nothing more than the batch is taken from strangers' bytes: what is unknown in them is read, and compared. */
const lenient = {
  allowUnknownOutputs: true,
  allowUnknownInputs: true,
  disableScriptCheck: true,
  allowLegacyWitnessUtxo: true,
};

/**
 * Reads what an offline signer gave back, a PSBT (as bytes or base64) or the finished transaction (as hex), and compares it
 * with what was to be signed: every input, sequence, output and amount, byte for byte. A signature that leaves some of that open
 * is refused as well: whoever sees it could fill in the rest. Returns the transaction with its witnesses.
 */
export function readSigned(
  given: Uint8Array,
  psbt: Uint8Array,
  network: Network,
): { raw: Uint8Array } | SignedFault {
  const wanted = Transaction.fromPSBT(psbt, { allowUnknownOutputs: true });
  const signed = parse(given);
  if (!signed) return { code: "unreadable" };
  if (txidOf(signed.unsignedTx) !== txidOf(wanted.unsignedTx)) {
    return { code: "another-payment", differences: compare(wanted, signed, network) };
  }
  const finished = finish(signed, wanted);
  if (!finished) return { code: "not-signed" };
  const open = listOpen(wanted);
  return open.length === 0 ? finished : { code: "another-payment", differences: open };
}

/** Inputs whose signature does not stand for all inputs and outputs (BIP 143, BIP 341): the signer was told another sighash. */
function listOpen(finished: Transaction): string[] {
  return Array.from({ length: finished.inputsLength }, (_, i) => i)
    .filter((i) => !standsForAll(finished.getInput(i).finalScriptWitness?.[0]))
    .map((i) => `Input ${i} is signed in part only. Sign all inputs and outputs (SIGHASH_ALL).`)
    .slice(0, 20);
}

/** Of the two kinds that our wallets make: Schnorr's have 64 bytes when they say nothing else, and then mean all. */
function standsForAll(signature: Uint8Array | undefined): boolean {
  if (signature?.length === 64) return true;
  return signature?.at(-1) === SigHash.ALL;
}

function parse(given: Uint8Array): Transaction | null {
  if (given.length > maxBytes * 2) return null;
  const text = Buffer.from(given).toString("latin1").replace(/\s+/g, "");
  try {
    if (/^(?:[0-9a-fA-F]{2})+$/.test(text)) {
      const bytes = hexToBytes(text.toLowerCase());
      return isPsbt(bytes)
        ? Transaction.fromPSBT(bytes, lenient)
        : Transaction.fromRaw(bytes, lenient);
    }
    if (isPsbt(given)) return Transaction.fromPSBT(given, lenient);
    return Transaction.fromPSBT(base64.decode(text), lenient);
  } catch {
    return null;
  }
}

function isPsbt(bytes: Uint8Array): boolean {
  return bytesToHex(bytes.slice(0, 5)) === "70736274ff";
}

/** Puts the signatures into our own copy, whose scripts and amounts are known, and closes it. */
function finish(signed: Transaction, wanted: Transaction): { raw: Uint8Array } | null {
  try {
    for (let i = 0; i < wanted.inputsLength; i++) {
      const signature = signatureOf(signed, i);
      if (!signature) return null;
      wanted.updateInput(i, signature, true);
      if (!signature.finalScriptWitness) wanted.finalizeIdx(i);
    }
    const raw = wanted.extract();
    return raw.length <= maxBytes ? { raw } : null;
  } catch {
    return null;
  }
}

function signatureOf(signed: Transaction, i: number) {
  const { finalScriptWitness, partialSig, tapKeySig } = signed.getInput(i);
  if (finalScriptWitness?.length) return { finalScriptWitness };
  if (tapKeySig) return { tapKeySig };
  return partialSig?.length ? { partialSig } : null;
}

/** What differs, output by output. */
function compare(wanted: Transaction, signed: Transaction, network: Network): string[] {
  const said: string[] = [];
  const inputs = differ(listInputs(wanted), listInputs(signed));
  for (const missing of inputs.missing) said.push(`It does not spend the coin ${missing}.`);
  for (const extra of inputs.extra) said.push(`It spends another coin, ${extra}.`);
  const marks = differ(listMarksOf(wanted), listMarksOf(signed));
  for (const missing of marks.missing)
    said.push(`It does not carry the mark ${pushOfMark(missing)}.`);
  for (const extra of marks.extra) said.push(`It carries another mark, ${pushOfMark(extra)}.`);
  const outputs = differ(listOutputs(wanted, network), listOutputs(signed, network));
  for (const missing of outputs.missing) said.push(`It does not pay ${missing}.`);
  for (const extra of outputs.extra) said.push(`It pays ${extra}, which is not in the batch.`);
  if (said.length === 0) said.push("Order, sequence numbers, version or lock time differ.");
  return said.slice(0, 20);
}

function listInputs(tx: Transaction): string[] {
  return Array.from({ length: tx.inputsLength }, (_, i) => {
    const { txid, index } = tx.getInput(i);
    return `${bytesToHex(txid ?? new Uint8Array())}:${index}`;
  });
}

function listOutputs(tx: Transaction, network: Network): string[] {
  return Array.from({ length: tx.outputsLength }, (_, i) => tx.getOutput(i)).flatMap(
    ({ amount = 0n, script = new Uint8Array() }) => {
      const isMark = amount === 0n && markOf(script) !== null;
      return isMark ? [] : `${formatAmount(amount, "BTC")} BTC to ${nameOf(script, network)}`;
    },
  );
}

function nameOf(script: Uint8Array, network: Network): string {
  try {
    return Address(bitcoinNetworks[network]).encode(OutScript.decode(script) as never);
  } catch {
    return `the script ${bytesToHex(script)}`;
  }
}

/** What is in one list and not in the other, each as often as it is. */
function differ(wanted: string[], found: string[]) {
  const extra = [...found];
  const missing = wanted.filter((each) => {
    const at = extra.indexOf(each);
    if (at < 0) return true;
    extra.splice(at, 1);
    return false;
  });
  return { missing, extra };
}
