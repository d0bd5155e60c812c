import { beforeAll, expect, test } from "vitest";
import { listContracts } from "#server/contracts/queries.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { shareReceipt, unshareReceipt } from "#server/contracts/share-receipt.ts";
import { getBalances } from "#server/ledger/queries.ts";
import { acceptedTerms, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { awaitedDays } from "./contract-words.ts";

const product = await testApp();
const { app, db } = product;
const ago = (ms: number) => new Date(app.now().getTime() - ms);
const usdE8 = 10_000_000_000_000n;
let planVersionId = "";
let cookie = "";
let customerId = "";

beforeAll(async () => {
  await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
  ({ planVersionId } = await offerTestPlan(db));
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: ago(120_000) });
  const buyer = await createTestBuyer(db, { sats: 40_000n });
  customerId = buyer.id;
  cookie = await signInAs(product, buyer);
});

const wish = () => ({ customerId, planVersionId, quantity: 1, coin: "BTC" as const });
const send = (path: string, form: Record<string, string>) =>
  product.request(path, { cookie, form });

test("a wish is answered with its price, which asks for the terms in force", async () => {
  const answer = await send("/account/mining/buy", {
    plan: planVersionId,
    quantity: "2",
    coin: "BTC",
  });
  expect(answer.status).toBe(302);
  const page = await product.request(answer.headers.get("location") ?? "", { cookie });
  const html = await page.text();
  expect(html).toContain("Buy for 0.00030000 BTC");
  expect(html).toContain(acceptedTerms(app.now()).termsSha256);
});

test.each([
  [{ plan: "__proto__" }],
  [{ plan: "constructor" }],
  [{ quantity: "1e3" }],
  [{ quantity: "-1" }],
  [{ quantity: "999999" }],
  [{ coin: "toString" }],
  [{ coin: "DOGE" }],
])("a form that was tampered with is refused, and takes nothing: %o", async (tampered) => {
  const form = { plan: planVersionId, quantity: "1", coin: "BTC", ...tampered };
  const answer = await send("/account/mining/buy", form);
  expect(answer.status).toBe(400);
  expect((await getBalances(db, customerId)).BTC.available).toBe(40_000n);
});

test("a price that has expired is not taken: the one of now stands beside it, and can be", async () => {
  const old = await quoteContract(db, wish(), ago(60_000));
  await createTestPrice(db, { asset: "BTC", usdE8: usdE8 / 2n, observedAt: ago(1_000) });
  const accepted = { ...acceptedTerms(app.now()), accepted: "on" };
  const path = `/account/mining/buy/${old.quoteId}`;
  const late = await send(path, { quoteId: old.quoteId, ...accepted });
  const html = await late.text();
  expect(late.status).toBe(409);
  expect(html).toContain("That price had expired. Nothing was taken.");
  expect(html).toContain("Buy for 0.00030000 BTC");
  expect(await listContracts(db, customerId)).toEqual([]);

  const quoteId = /name="quoteId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(quoteId).not.toBe(old.quoteId);
  const unread = await send(path, { quoteId, ...acceptedTerms(app.now()) });
  expect(unread.status).toBe(400);
  expect(await unread.text()).toContain("Read the terms and tick the box");
  const bought = await send(path, { quoteId, ...accepted });
  expect(bought.status).toBe(302);
  const again = await send(path, { quoteId, ...accepted });
  expect(again.headers.get("location")).toBe(bought.headers.get("location"));
  expect(await listContracts(db, customerId)).toHaveLength(1);
  expect((await getBalances(db, customerId)).BTC.available).toBe(10_000n);
});

test("what the balance does not cover is refused in words, and a contract can be given back", async () => {
  const { quoteId } = await quoteContract(db, wish(), app.now());
  const accepted = { ...acceptedTerms(app.now()), accepted: "on" };
  const answer = await send(`/account/mining/buy/${quoteId}`, { quoteId, ...accepted });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("does not cover the price. Nothing was taken");
  const [contract] = await listContracts(db, customerId);
  const path = `/account/mining/${contract?.contractId}`;
  expect((await send(path, { intent: "__proto__" })).status).toBe(400);
  expect((await send(path, { intent: "give-back" })).status).toBe(302);
  expect((await send(path, { intent: "give-back" })).status).toBe(302);
  expect((await getBalances(db, customerId)).BTC.available).toBe(40_000n);
});

test("a link that was taken back says so, and one that never was is an address that is nobody's", async () => {
  const [contract] = await listContracts(db, customerId);
  if (!contract) throw new Error("no contract was bought above");
  const which = { customerId, contractId: contract.contractId, day: contract.startsOn };
  const { token } = await shareReceipt(db, which, app.now());
  await unshareReceipt(db, which, app.now());
  const gone = await product.request(`/receipt/${token}`);
  expect(gone.status).toBe(410);
  expect(await gone.text()).toContain("This link was taken back");
  expect((await product.request(`/receipt/${"a".repeat(22)}`)).status).toBe(404);
});

test.each([
  ["2026-03-04", null, "2026-03-04", "2026-03-05"],
  ["2026-02-01", null, "2026-03-01", "2026-03-05"],
  ["2026-03-04", "2026-03-04", "2026-03-04", "2026-03-04"],
])(
  "days that are over and not credited await their payout: next %s, ended %s",
  (next, lastDay, first, last) => {
    const contract = { startsOn: "2026-03-01", lastDay, endReason: null };
    const now = new Date("2026-03-06T10:00:00Z");
    expect(awaitedDays(contract, next, now)).toEqual({ first, last });
    expect(awaitedDays(contract, "2026-03-06", now)).toBeNull();
    expect(awaitedDays(contract, null, now)).toBeNull();
    expect(awaitedDays({ ...contract, endReason: "given-back" }, next, now)).toBeNull();
  },
);
