import { afterAll, expect, test } from "vitest";
import { askForPrices } from "#server/markets/poll-prices.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice, forgetPrices, testMarket } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { startFakeExchange } from "#tests/fakes/exchange.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const exchange = await startFakeExchange();
afterAll(() => exchange.stop());
const product = await testApp(exchange.env);
const { app, db, owner } = product;
const cookie = await signInAs(product, await createTestOperator(db));
const ada = await createTestCustomer(db);
const deposit = await createTestDeposit(app, { customerId: ada.id });

async function read(path: string): Promise<string> {
  const answer = await product.request(path, { cookie });
  return plain(await answer.text());
}

/** As a reader sees it: no marks of React between words. */
function plain(html: string): string {
  return html.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<!--.*?-->/g, "");
}

test("before anybody was asked, the page names the sources and invents no price", async () => {
  const page = await read("/operator/markets");
  expect(page).toContain("not asked yet");
  expect(page).toContain(new URL(exchange.url).host);
  expect(page).not.toMatch(/\$\d/);
  expect(await read(`/operator/deposits/${deposit.depositId}`)).toContain(
    "No price of BTC is known to suggest an amount with.",
  );
});

test("shows what each source did, what was left out, and what a price rests on", async () => {
  exchange.set("kraken", { status: 503 });
  exchange.set("bitstamp", { factor: 1.2 });
  await askForPrices(testMarket(db, exchange), new Date());
  exchange.set("bitstamp");
  await askForPrices(testMarket(db, exchange), new Date(Date.now() + 10));
  const page = await read("/operator/markets");
  expect(page).toContain("answered 503");
  expect(page).toContain("Failing");
  expect(page).toContain("More than 1 % from the median");
  expect(page).toContain("$91,234.50");
  expect(page).toContain("2 of 2 agreed");
});

test("suggests what the quantity received is worth, before it is posted, with the price's age", async () => {
  const path = `/operator/deposits/${deposit.depositId}`;
  expect(await read(path)).toContain("1 BTC is $91,234.50");
  const form = { intent: "preview", quantity: "0.0125", txid: "ab".repeat(32) };
  const answer = await product.request(path, { cookie, form });
  const page = plain(await answer.text());
  expect(page).toContain("At the stored price");
  // 0.0125 BTC at $91,234.50.
  expect(page).toContain("$1,140.43");
});

test("suggests nothing with a price that is older than ten minutes", async () => {
  await forgetPrices(owner);
  const observedAt = new Date(Date.now() - 11 * 60_000);
  await createTestPrice(db, { asset: "BTC", usdE8: 9_000_000_000_000n, observedAt });
  const path = `/operator/deposits/${deposit.depositId}`;
  expect(await read(path)).toContain("is older than 10 minutes: it values nothing");
  const form = { intent: "preview", quantity: "0.0125", txid: "ab".repeat(32) };
  const page = plain(await (await product.request(path, { cookie, form })).text());
  expect(page).toContain("What will be posted");
  expect(page).not.toContain("At the stored price");
  expect(await read("/operator/markets")).toContain("nothing is valued or converted with it");
});

test("marks what is simulated", async () => {
  const simulated = { asset: "BTC" as const, usdE8: 9_000_000_000_000n, simulated: true };
  await createTestPrice(db, { ...simulated, observedAt: new Date() });
  expect(await read("/operator/markets")).toContain("invented by the demo");
  expect(await read(`/operator/deposits/${deposit.depositId}`)).toContain("(simulated)");
});
