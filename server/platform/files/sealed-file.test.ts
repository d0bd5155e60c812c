import { describe, expect, test } from "vitest";
import { type KeyRing, newKey, parseKeyRing } from "./key-ring.ts";
import {
  FileTampered,
  openSealedFile,
  rewrapKey,
  type SealedFile,
  sealFile,
} from "./sealed-file.ts";

const first = newKey();
const ring = ringOf(first);
const plain = Buffer.from("a passport, drawn anew");
const binding = "document 1\ncustomer 1\nidentity-front";
const sealed = sealFile(ring, plain, binding);

function ringOf(...keys: string[]): KeyRing {
  const read = parseKeyRing(keys.join("\n"));
  if (!read) throw new Error("not a ring");
  return read;
}

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const changed = Buffer.from(bytes);
  changed[at < 0 ? changed.length + at : at] = (changed.at(at) ?? 0) ^ 1;
  return changed;
}

test("opens as what was sealed, and shows nothing of it before", () => {
  expect(openSealedFile(ring, sealed, binding)).toEqual(plain);
  expect(Buffer.from(sealed.bytes).includes("passport")).toBe(false);
  expect(sealed.wrappedKey).toHaveLength(60);
});

test("the same file is never sealed the same way twice", () => {
  const again = sealFile(ring, plain, binding);
  expect(again.bytes).not.toEqual(sealed.bytes);
  expect(again.wrappedKey).not.toEqual(sealed.wrappedKey);
});

describe("is refused", () => {
  const other = sealFile(ring, Buffer.from("somebody else's"), "document 2\ncustomer 2\nselfie");
  const cases: Record<string, [SealedFile, string]> = {
    "with a bit of the nonce changed": [{ ...sealed, bytes: flip(sealed.bytes, 0) }, binding],
    "with a bit of the body changed": [{ ...sealed, bytes: flip(sealed.bytes, 12) }, binding],
    "with a bit of the tag changed": [{ ...sealed, bytes: flip(sealed.bytes, -1) }, binding],
    "cut short": [{ ...sealed, bytes: sealed.bytes.subarray(0, -1) }, binding],
    "with nothing in it": [{ ...sealed, bytes: new Uint8Array() }, binding],
    "with more behind it": [
      { ...sealed, bytes: Buffer.concat([sealed.bytes, Buffer.from("x")]) },
      binding,
    ],
    "with the nonce of its key changed": [
      { ...sealed, wrappedKey: flip(sealed.wrappedKey, 0) },
      binding,
    ],
    "with the body of its key changed": [
      { ...sealed, wrappedKey: flip(sealed.wrappedKey, 12) },
      binding,
    ],
    "with the tag of its key changed": [
      { ...sealed, wrappedKey: flip(sealed.wrappedKey, -1) },
      binding,
    ],
    "with another file in its place": [{ ...sealed, bytes: other.bytes }, binding],
    "with another file and that one's key": [other, binding],
    "for another customer": [sealed, binding.replace("customer 1", "customer 2")],
    "for another purpose": [sealed, binding.replace("front", "back")],
    "under a key that is gone": [{ ...sealed, keyId: "gone" }, binding],
  };
  test.each(Object.entries(cases))("%s", (_, [file, bound]) => {
    expect(() => openSealedFile(ring, file, bound)).toThrow(FileTampered);
  });
});

test("a rotation wraps the key anew and leaves the file as it is", () => {
  const rotated = ringOf(newKey(), first);
  const rewrapped = rewrapKey(rotated, sealed, binding);
  expect(rewrapped?.keyId).toBe(rotated.currentId);
  if (!rewrapped) return;
  expect(openSealedFile(rotated, { ...sealed, ...rewrapped }, binding)).toEqual(plain);
  expect(rewrapKey(rotated, rewrapped, binding)).toBeNull();
  expect(() => openSealedFile(ring, { ...sealed, ...rewrapped }, binding)).toThrow(FileTampered);
});

test.each([
  "",
  "k1",
  "k1:short",
  `k1:${"A".repeat(44)}`,
  `${first},${first}`,
  `k 1:${"A".repeat(43)}`,
])("no key ring is made from %j", (text) => {
  expect(parseKeyRing(text)).toBeNull();
});
