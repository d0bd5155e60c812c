import { readFileSync } from "node:fs";
import path from "node:path";
import { Transaction } from "@scure/btc-signer";
import { expect, test } from "vitest";
import { decodeSignature, encodeSignature, isSigned, messagePsbt } from "./bip322.ts";

// BIP 322's own vectors, of its `simple` form.
const { ids, signed, refused } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "bip322-vectors.json"), "utf8"),
);
const isValid = (message: string, address: string, signature: string) => {
  const witness = decodeSignature(signature);
  return witness !== null && isSigned(message, address, "mainnet", witness);
};

test("what is to be signed is the transaction that the standard names", () => {
  for (const { message, address, id } of ids)
    expect(
      Transaction.fromPSBT(messagePsbt(message, address, "mainnet"), { allowUnknownOutputs: true })
        .id,
    ).toBe(id);
});

test.each<{ type: string; message: string; address: string; signatures: string[] }>(signed)(
  "a signature of $type by one key holds, and no other is understood: $message",
  ({ type, message, address, signatures }) => {
    const isOurs = type === "p2wpkh" || type === "p2tr";
    for (const signature of signatures) {
      expect(isValid(message, address, signature)).toBe(isOurs);
      expect(isValid(`${message}.`, address, signature)).toBe(false);
      const witness = decodeSignature(signature) ?? [];
      expect(encodeSignature(witness).replace("smp", "")).toBe(signature.replace(/^smp/, ""));
      expect(isSigned(message, address, "testnet", witness)).toBe(false);
    }
  },
);

test.each<{ what: string; message: string; address: string; signature: string }>(refused)(
  "refused: $what",
  ({ message, address, signature }) => {
    expect(isValid(message, address, signature)).toBe(false);
  },
);

test("a signature by a taproot key has 64 bytes, or 65 that say that it is for all", () => {
  const { message, address, signatures } = signed.find(
    ({ type }: { type: string }) => type === "p2tr",
  );
  const [signature = new Uint8Array()] = decodeSignature(signatures[0]) ?? [];
  const short = signature.slice(0, 64);
  for (const more of [[0], [1, 0], [0, 0], Array.from({ length: 36 }, () => 0)])
    expect(isSigned(message, address, "mainnet", [Uint8Array.of(...short, ...more)])).toBe(false);
});
