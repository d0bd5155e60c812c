import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import {
  Address,
  OutScript,
  p2wpkh,
  RawWitness,
  Script,
  SigHash,
  Transaction,
} from "@scure/btc-signer";
import type { Network } from "../payments/address.ts";
import { bitcoinNetworks } from "./derive-address.ts";

/**
 * A message signed by an address (BIP 322, "simple"): the witness of a transaction that spends, and pays, nothing. Of addresses of
 * one key: P2WPKH, and P2TR by its key.
 */

/** What is to be signed, as a PSBT: any signer that can spend the address's coins can sign it, and it moves none. */
export function messagePsbt(message: string, address: string, network: Network): Uint8Array {
  const script = OutScript.encode(Address(bitcoinNetworks[network]).decode(address));
  const tx = new Transaction({ version: 0, lockTime: 0, allowUnknownOutputs: true });
  const witnessUtxo = { script, amount: 0n };
  tx.addInput({ txid: spentId(message, script), index: 0, sequence: 0, witnessUtxo });
  tx.addOutput({ script: Script.encode(["RETURN"]), amount: 0n });
  return tx.toPSBT();
}

/** The signature as wallets exchange it: base64, after `smp`. */
export function encodeSignature(witness: Uint8Array[]): string {
  return `smp${base64.encode(RawWitness.encode(witness))}`;
}

/** The witness of a signature in base64, with or without its prefix; null: it is none. */
export function decodeSignature(signature: string): Uint8Array[] | null {
  const text = signature.trim().replace(/^smp/, "");
  if (text.length > 1_000) return null;
  try {
    return RawWitness.decode(base64.decode(text));
  } catch {
    return null;
  }
}

/** Whether the owner of the address signed the message: all of it, and nothing else. */
export function isSigned(
  message: string,
  address: string,
  network: Network,
  witness: Uint8Array[],
): boolean {
  try {
    const to = Address(bitcoinNetworks[network]).decode(address);
    const tx = Transaction.fromPSBT(messagePsbt(message, address, network), {
      allowUnknownOutputs: true,
    });
    if (to.type === "wpkh") return isByKeyHash(tx, to.hash, witness);
    return to.type === "tr" && isByTaproot(tx, to.pubkey, OutScript.encode(to), witness);
  } catch {
    return false;
  }
}

function isByKeyHash(tx: Transaction, hash: Uint8Array, witness: Uint8Array[]): boolean {
  const [signature, publicKey] = witness;
  if (witness.length !== 2 || !signature || !publicKey) return false;
  if (bytesToHex(p2wpkh(publicKey).hash) !== bytesToHex(hash)) return false;
  if (signature.at(-1) !== SigHash.ALL) return false;
  const code = OutScript.encode({ type: "pkh", hash });
  const digest = tx.preimageWitnessV0(0, code, SigHash.ALL, 0n);
  const options = { format: "der", prehash: false, lowS: true } as const;
  return secp256k1.verify(signature.slice(0, -1), digest, publicKey, options);
}

function isByTaproot(
  tx: Transaction,
  publicKey: Uint8Array,
  script: Uint8Array,
  witness: Uint8Array[],
): boolean {
  const [signature] = witness;
  if (witness.length !== 1 || !signature) return false;
  const isAll = signature.length === 65 && signature[64] === SigHash.ALL;
  if (signature.length !== 64 && !isAll) return false;
  const kind = isAll ? SigHash.ALL : SigHash.DEFAULT;
  const digest = tx.preimageWitnessV1(0, [script], kind, [0n]);
  return schnorr.verify(signature.slice(0, 64), digest, publicKey);
}

/** The id of the transaction that would have to be spent: it holds the message's hash, and pays nothing to the script. */
function spentId(message: string, script: Uint8Array): string {
  const tag = sha256(utf8ToBytes("BIP0322-signed-message"));
  const hash = sha256(concatBytes(tag, tag, utf8ToBytes(message)));
  const raw = concatBytes(
    Uint8Array.of(0, 0, 0, 0, 1),
    new Uint8Array(32),
    Uint8Array.of(255, 255, 255, 255, 34, 0, 32),
    hash,
    Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, script.length),
    script,
    new Uint8Array(4),
  );
  return bytesToHex(sha256(sha256(raw)).reverse());
}
