import { expect, test } from "vitest";
import { parseWalletKey } from "#core/wallet/wallet-key.ts";
import { newTestDescriptor } from "#tests/factories/chain.ts";
import { changeOf } from "./change-of.ts";

const key = parseWalletKey(newTestDescriptor(), "bitcoin", "regtest");
if (typeof key === "string") throw new Error(key);
const wallet = { descriptor: key.descriptor, network: key.network };

test("a key with an origin gives the whole path, as signers show it", () => {
  const change = changeOf({ changeIndex: 7, wallet });
  expect(change).toMatchObject({ path: "m/84h/1h/0h/1/7", namesFingerprint: true });
  expect(change?.address).toMatch(/^bcrt1q/);
});

test("a key without one gives the path below the account, and says so", () => {
  const bare = { ...wallet, descriptor: wallet.descriptor.replace(/\[[^\]]*\]/, "") };
  const change = changeOf({ changeIndex: 7, wallet: bare });
  expect(change).toMatchObject({ path: "1/7", namesFingerprint: false });
  expect(change?.address).toBe(changeOf({ changeIndex: 7, wallet })?.address);
});

test("a batch of Ethereum has no change", () => {
  expect(changeOf({ changeIndex: null, wallet: null })).toBeNull();
});
