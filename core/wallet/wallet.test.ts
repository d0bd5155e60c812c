import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { describe, expect, test } from "vitest";
import type { Network } from "../payments/address.ts";
import { deriveAddress } from "./derive-address.ts";
import { descriptorChecksum } from "./descriptor-checksum.ts";
import { nodeDescriptor, shownDescriptor } from "./node-descriptor.ts";
import { parseWalletKey, type WalletChain, type WalletKey } from "./wallet-key.ts";

// The account keys of the test vectors of BIP 84 and BIP 86.
const zpub =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
const taprootXpub =
  "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ";
// The seed that Ethereum's development tools use, whose addresses are known to everybody.
const developmentSeed = pbkdf2Sync(`${"test ".repeat(11)}junk`, "mnemonic", 2048, 64, "sha512");
const development = HDKey.fromMasterSeed(developmentSeed);
const testnetKeys = { private: 0x04358394, public: 0x043587cf };

function read(
  text: string,
  chain: WalletChain = "bitcoin",
  network: Network = "mainnet",
): WalletKey {
  const key = parseWalletKey(text, chain, network);
  if (typeof key === "string") throw new Error(key);
  return key;
}

describe("addresses are those of the standards' own vectors", () => {
  test("BIP 84: witness public key hashes", () => {
    const key = read(zpub);
    expect(key.script).toBe("p2wpkh");
    expect(deriveAddress(key, 0)).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    expect(deriveAddress(key, 1)).toBe("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
  });

  test("BIP 86: taproot key paths", () => {
    for (const text of [`tr(${taprootXpub}/0/*)`, `[73c5da0a/86h/0h/0h]${taprootXpub}`]) {
      const key = read(text);
      expect(deriveAddress(key, 0)).toBe(
        "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
      );
      expect(deriveAddress(key, 1)).toBe(
        "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
      );
    }
  });

  test("BIP 44: Ethereum accounts with EIP-55's checksum", () => {
    const key = read(development.derive("m/44'/60'/0'").publicExtendedKey, "ethereum");
    expect(deriveAddress(key, 0)).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(deriveAddress(key, 2)).toBe("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
  });

  test("BIP 380: the checksum of a descriptor", () => {
    expect(descriptorChecksum("raw(deadbeef)")).toBe("89f8spxm");
    expect(descriptorChecksum("raw(Ü)")).toBeNull();
  });
});

test("one wallet is written in one way, however it was typed", () => {
  const xpub = read(zpub).xpub;
  const whole = `wpkh([73c5da0a/84h/0h/0h]${xpub}/0/*)`;
  for (const text of [
    whole,
    `${whole}#${descriptorChecksum(whole)}`,
    ` wpkh([73C5DA0A/84'/0'/0']${xpub}/<0;1>/*) `,
    `[73c5da0a/84h/0h/0h]${xpub}`,
    `[73c5da0a/84h/0h/0h]${zpub}`,
  ]) {
    expect(read(text).descriptor).toBe(whole);
  }
});

test("a public key is none the worse for the letters xprv in it, as one in 10,000 has them", () => {
  const seed = Uint8Array.of(0, 0, 22, 168, ...new Uint8Array(12));
  const { publicExtendedKey } = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'");
  expect(publicExtendedKey).toContain("vprv");
  expect(read(`wpkh([73c5da0a/84h/0h/0h]${publicExtendedKey}/0/*)`).xpub).toBe(publicExtendedKey);
});

const tpub = HDKey.fromMasterSeed(developmentSeed, testnetKeys).derive("m/84'/1'/0'");
const ethereumXpub = development.derive("m/44'/60'/0'").publicExtendedKey;

test.each([
  ["a private key", development.privateExtendedKey, "private-key"],
  [
    "a private key of a test network in a descriptor",
    `wpkh(${tpub.privateExtendedKey}/0/*)`,
    "private-key",
  ],
  ["one private key", `wpkh(K${"w".repeat(51)})`, "private-key"],
  ["one private key in digits", `0x${"1f".repeat(32)}`, "private-key"],
  ["the words of a wallet", `${"abandon ".repeat(11)}about`, "private-key"],
  ["a typing error", zpub.replace("Yz2", "Zz2"), "checksum"],
  ["a descriptor with a typing error", `tr(${taprootXpub}/0/*)#aaaaaaaa`, "checksum"],
  ["a key of a test network", `wpkh(${tpub.publicExtendedKey}/0/*)`, "wrong-network"],
  ["a key that does not say what its addresses are", taprootXpub, "which-script"],
  ["addresses in a script hash", `sh(wpkh(${taprootXpub}/0/*))`, "unsupported-script"],
  ["an old kind of address", `[73c5da0a/44h/0h/0h]${taprootXpub}`, "unsupported-script"],
  ["the branch for change", `tr(${taprootXpub}/1/*)`, "unsupported-path"],
  ["a single address", `tr(${taprootXpub}/0/5)`, "unsupported-path"],
  ["an unclosed descriptor", `tr(${taprootXpub}/0/*`, "malformed"],
  ["an address", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "malformed"],
  ["nothing", "", "malformed"],
])("%s is refused", (_, text, fault) => {
  expect(parseWalletKey(text, "bitcoin", "mainnet")).toBe(fault);
});

test("a key of a test network is shown as it was given", () => {
  const given = `wpkh(${tpub.publicExtendedKey}/0/*)`;
  const key = read(given, "bitcoin", "regtest");
  expect(key.descriptor).not.toBe(given);
  expect(shownDescriptor(key)).toBe(given);
  expect(nodeDescriptor(key, 0)).toBe(`${given}#${descriptorChecksum(given)}`);
  const main = read(zpub);
  expect(shownDescriptor(main)).toBe(main.descriptor);
});

test("a Bitcoin wallet is no Ethereum wallet", () => {
  expect(parseWalletKey(zpub, "ethereum", "mainnet")).toBe("unsupported-script");
  expect(parseWalletKey(`wpkh(${taprootXpub}/0/*)`, "ethereum", "mainnet")).toBe(
    "unsupported-script",
  );
  expect(parseWalletKey(tpub.publicExtendedKey, "bitcoin", "regtest")).toBe("which-script");
  expect(read(`wpkh(${tpub.publicExtendedKey}/0/*)`, "bitcoin", "regtest").script).toBe("p2wpkh");
  expect(read(ethereumXpub, "ethereum", "regtest").script).toBe("account");
});
