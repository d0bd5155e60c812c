import { expect, test } from "vitest";
import { marketAssets } from "#server/markets/schema.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, request } = product;
const ada = await createTestCustomer(db);
await createTestDeposit(app, {
  customerId: ada.id,
  method: "Bitcoin",
  quantityUnits: 50_000_000n,
  approvedBy: await createTestOperator(db),
});
const cookie = await signInAs(product, ada);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const usdE8 = 9_000_000_000_000n;

/** Prices are read once a second for all pages: each page here is asked for a second later. */
let aheadMs = 0;
app.now = () => new Date(Date.now() + aheadMs);

/** A page's words, as they follow each other. */
async function read(path: string): Promise<string> {
  aheadMs += 1_000;
  const html = await (await request(path, { cookie })).text();
  return html
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

test("without a price nothing is worth anything, and the page says why", async () => {
  const dashboard = await read("/account/dashboard");
  expect(dashboard).toContain("no value");
  expect(dashboard).toContain("There is no price, so there is no value.");
  expect(dashboard).toContain("Prices unavailable");
  const offer = "plan=own&ths=1&days=30&cost=10&fee=0.04";
  expect(await read(`/calculator?${offer}`)).toContain(
    "Neither a fresh price of bitcoin nor the network's difficulty is known at the moment.",
  );
  expect(await read(`/calculator?${offer}&price=90000`)).toContain(
    "No result yet The network's difficulty is not known at the moment.",
  );
});

test("of each coin without a price the page of evidence says why there is none", async () => {
  const asked = { askedAt: new Date(), answered: 2, agreed: 0, since: new Date() };
  await db.insert(marketAssets).values([
    { ...asked, asset: "XRP", trouble: "sources-disagree" },
    { ...asked, asset: "DOGE", trouble: "too-few-sources" },
  ]);
  const prices = await read("/prices");
  expect(prices).toMatch(
    /XRP — no price When last asked, the exchanges disagreed too much for a price\./,
  );
  expect(prices).toMatch(
    /Dogecoin — no price When last asked, too few exchanges answered for a price\./,
  );
  expect(prices).toMatch(
    /Solana — no price No exchange has been asked yet, so there is no price\./,
  );
  expect(prices).toContain("There is no price history of this coin yet. We draw only");
});

test("a price of eleven minutes is shown with its age, and values nothing", async () => {
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: minutesAgo(11) });
  const dashboard = await read("/account/dashboard");
  expect(dashboard).toContain("The last price is from 11 min ago: nothing is valued with it.");
  expect(dashboard).not.toContain("$45,000.00");
  expect(dashboard).toContain("too old: 11 min");
  expect(await read("/faq")).toContain("Prices too old: 11 min");
});

test("a fresh price values coins to the cent, with its age", async () => {
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: minutesAgo(9) });
  const dashboard = await read("/account/dashboard");
  expect(dashboard).toMatch(/\$45,000\.00 9 min ago/);
  expect(await read("/prices?coin=ETH")).toContain("Bitcoin BTC Bitcoin $90,000.00");
});

test("what is simulated says so wherever it stands", async () => {
  const simulated = true;
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: minutesAgo(1), simulated });
  expect(await read("/account/dashboard")).toMatch(/\$45,000\.00 simulated, 1 min ago/);
  expect(await read("/about")).toContain("Simulated 1 min ago");
});
