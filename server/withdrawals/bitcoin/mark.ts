import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Transaction } from "@scure/btc-signer";

/** OP_RETURN with one push of 36 bytes, the first four of which are `ASAY`; the digest of a day follows. */
const prefix = "6a2441534159";

/** The script of the output, of no value, that carries a day's digest into the chain. */
export function scriptOfMark(digest: Uint8Array): Uint8Array {
  return hexToBytes(prefix + bytesToHex(digest));
}

/** The digest that a script carries, in hexadecimal; null: it is no mark. */
export function markOf(script: Uint8Array): string | null {
  const hex = bytesToHex(script);
  return hex.startsWith(prefix) && script.length === 38 ? hex.slice(prefix.length) : null;
}

/** A mark as a signer shows it: what is pushed, in hexadecimal. */
export function pushOfMark(digest: string): string {
  return prefix.slice(4) + digest;
}

/** The digests that a transaction carries in outputs of no value. */
export function listMarksOf(tx: Transaction): string[] {
  const outputs = Array.from({ length: tx.outputsLength }, (_, i) => tx.getOutput(i));
  return outputs.flatMap(({ amount, script }) => {
    const digest = amount === 0n && script ? markOf(script) : null;
    return digest ?? [];
  });
}
