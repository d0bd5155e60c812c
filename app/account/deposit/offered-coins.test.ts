import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newTestDescriptor } from "#tests/factories/chain.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

/** A business in bitcoin alone: the others are on no page, but for customers who still hold some. */

const product = await testApp({
  COINS: "BTC",
  BITCOIN_RPC_URL: "http://u:p@127.0.0.1:1",
  DEPOSIT_WALLET_BITCOIN: newTestDescriptor(),
});
const { db } = product;
const others = /\b(Ether|Ethereum|ETH|USDT|ERC-20)\b/;

/** What a reader sees of a page's content: without scripts and attributes. Market prices stay: they are figures of the world. */
async function readContent(path: string, cookie?: string): Promise<string> {
  const answer = await product.request(path, cookie ? { cookie } : {});
  expect(answer.status).toBe(200);
  const [main = ""] = /<main[\s\S]*<\/main>/.exec(await answer.text()) ?? [];
  return main.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, " ").replace(/<[^>]+>/g, " ");
}

test("a site for bitcoin alone names no other coin to its customers", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  for (const path of [
    "/account/deposit",
    "/account/deposit?txid=unreadable",
    "/account/withdraw",
    "/account/mining/buy",
    "/account/profile",
    "/account/transactions",
    "/services",
  ])
    expect([path, others.exec(await readContent(path, cookie))?.[0]]).toEqual([path, undefined]);
});

test("a site for bitcoin alone names no other coin to its staff", async () => {
  const cookie = await signInAs(product, await createTestOperator(db, { role: "owner" }));
  for (const path of [
    "/operator/reconciliation",
    "/operator/reconciliation/new",
    "/operator/adjustments",
    "/operator/adjustments/new",
    "/operator/chain",
    "/operator/withdrawals/batches",
  ])
    expect([path, others.exec(await readContent(path, cookie))?.[0]]).toEqual([path, undefined]);
});

test("a customer who holds a coin that was switched off sees it and can withdraw it", async () => {
  const customer = await createTestCustomer(db);
  await creditTestDeposit(db, customer.id, 10n ** 18n, { asset: "ETH" });
  const cookie = await signInAs(product, customer);
  expect(await readContent("/account", cookie)).toContain("Ether");
  expect(await readContent("/account/withdraw?coin=ETH", cookie)).toContain("Withdraw ether");
});

test("a slip for a coin that is switched off is refused beside its field", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  const form = new FormData();
  const typed = { submissionKey: randomUUID(), amount: "100", method: "USDT" };
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  form.set(
    "slip",
    new File([new Uint8Array(await uniquePicture())], "slip.png", { type: "image/png" }),
  );
  const answer = await product.request("/account/deposit", { cookie, form });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("We do not take slips for this method");
  const { rowCount } = await db.$client.query("select from deposits where method = 'USDT'");
  expect(rowCount).toBe(0);
});
