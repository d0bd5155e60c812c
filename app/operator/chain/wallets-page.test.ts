import { beforeAll, expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { comparedIndex } from "#core/wallet/wallet-terms.ts";
import { listWallets } from "#server/chain/wallets/list-wallets.ts";
import { recordWallets } from "#server/chain/wallets/record-wallets.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

// The account key of BIP 84's test vectors. Ethereum keeps its fixed address.
const product = await testApp({
  NETWORK: "mainnet",
  APP_URL: "https://mining.example.com",
  DEPOSIT_WALLET_BITCOIN:
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
  DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
});
const { app, db } = product;
const key = app.config.wallets.bitcoin;
if (!key) throw new Error("there is a wallet");
const grace = await signInAs(product, await createTestOperator(db, { role: "approver" }));

async function depositPageOf(firstName: string) {
  const customer = await createTestCustomer(db, { firstName });
  const cookie = await signInAs(product, customer);
  return (await product.request("/account/deposit", { cookie })).text();
}

beforeAll(() => recordWallets(db, [key], new Date()));

test("a wallet opens by an address that its page does not show; then customers get their own", async () => {
  const page = async () => (await product.request("/operator/wallets", { cookie: grace })).text();
  const closed = await page();
  expect(closed).toContain(deriveAddress(key, 0));
  // It is a bare zpub.
  expect(closed).toContain("Hardware signers refuse batches of this wallet");
  expect(closed).toContain(deriveAddress(key, comparedIndex - 1));
  expect(closed).not.toContain(deriveAddress(key, comparedIndex));
  expect(await depositPageOf("Ada")).toContain("You cannot pay this way yet");

  const [wallet] = await listWallets(db);
  const open = (address: string) =>
    product.request("/operator/wallets", {
      cookie: grace,
      form: { walletId: wallet?.id ?? "", address },
    });
  const refused = await open("bc1qmistaken");
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toContain("gives another address there");
  expect(html).toContain('value="bc1qmistaken"');

  expect((await open(deriveAddress(key, comparedIndex))).status).toBe(302);
  const [ada, bob] = [await depositPageOf("Ada"), await depositPageOf("Bob")];
  expect(ada).toContain("This address is yours alone");
  expect(ada).toContain(deriveAddress(key, 0, 2));
  expect(bob).toContain(deriveAddress(key, 1, 2));
  expect(bob).not.toContain(deriveAddress(key, 0, 2));
  // What the wallet shows as its next address is nobody's.
  expect(ada).not.toContain(deriveAddress(key, 0));
  expect(bob).toContain(app.config.depositAddresses.ethereum);
  expect(await page()).toContain("2, up to index 1");
});

test("a wallet that nobody knows is not opened", async () => {
  const form = { walletId: "other", address: "x" };
  expect((await product.request("/operator/wallets", { cookie: grace, form })).status).toBe(400);
});
