import { beforeAll, expect, test } from "vitest";
import { firstDay } from "#core/mining/first-day.ts";
import { unseenWords } from "#core/mining/hashrate-words.ts";
import { listContracts } from "#server/contracts/find-contract.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { shareReceipt, unshareReceipt } from "#server/contracts/share-receipt.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
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
let slug = "";
let cookie = "";
let customerId = "";

beforeAll(async () => {
  await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
  ({ planVersionId, slug } = await offerTestPlan(db));
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: ago(120_000) });
  const buyer = await createTestBuyer(db, { sats: 40_000n });
  customerId = buyer.id;
  cookie = await signInAs(product, buyer);
});

const wish = () => ({ customerId, planVersionId, quantity: 1, coin: "BTC" as const });
const send = (path: string, form: Record<string, string>) =>
  product.request(path, { cookie, form });

const accepted = () => ({ ...acceptedTerms(app.now()), accepted: "on" });
const order = () => ({ plan: planVersionId, quantity: "1", coin: "BTC", ...accepted() });
/** As the page of a price sends it that was opened before anything was bought, or after. */
const purchase = (quoteId: string, { isFirst = true } = {}) => ({
  quoteId,
  startsOn: firstDay(app.now(), isFirst),
  ...accepted(),
});
const tick = 'type="checkbox"';

test("an order whose terms are accepted is answered with its price, which is bought without a second tick", async () => {
  const answer = await send("/account/mining/buy", { ...order(), quantity: "2" });
  expect(answer.status).toBe(302);
  const location = answer.headers.get("location") ?? "";
  const html = await (await product.request(location, { cookie })).text();
  expect(html).toContain("Buy for 0.00030000 BTC");
  expect(html).toContain(acceptedTerms(app.now()).termsSha256);
  expect(html).toContain("You accepted the");
  expect(html).toContain(unseenWords);
  expect(html).not.toContain(tick);
  const again = await send(location, { intent: "new-price" });
  expect(again.status).toBe(200);
  expect(await again.text()).not.toContain(tick);
});

test("a price whose address names no terms, or old ones, asks for the tick", async () => {
  const { quoteId } = await quoteContract(db, wish(), app.now());
  for (const query of ["", "?terms=0.1", "?terms=__proto__"]) {
    const path = `/account/mining/buy/${quoteId}${query}`;
    expect(await (await product.request(path, { cookie })).text()).toContain(tick);
  }
});

test("an order form says what the order comes to, and a link fills it in", async () => {
  await product.owner.query(
    `insert into network_figures (observed_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
       fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
     values (now() - interval '1 minute', 'mempool.example', false, 900000, 150000000000000, 1e21, 312500000, 0, 3, 2, 1)`,
  );
  const path = `/account/mining/buy?plan=${slug}&units=7&coin=BTC`;
  const html = await (await product.request(path, { cookie })).text();
  expect(html).toContain('value="7"');
  expect(html).toContain("$105.00");
  expect(html).toMatch(/of our \d scenarios|All \d of our scenarios/);
  expect(html.split(unseenWords)).toHaveLength(2);
  const gone = await product.request("/account/mining/buy?plan=none", { cookie });
  expect(await gone.text()).toContain("That plan is no longer offered");
});

test.each([{ accepted: "" }, { termsVersion: "0.1" }])(
  "an order without the terms in force is not quoted: %o",
  async (without) => {
    const answer = await send("/account/mining/buy", { ...order(), ...without });
    expect([400, 409]).toContain(answer.status);
    const html = await answer.text();
    expect(html).toContain("tick the box");
    const box = /<input[^>]+name="accepted"[^>]*>/.exec(html)?.[0];
    expect(box).toContain("checkbox");
    expect(box).not.toContain("checked");
  },
);

test.each([
  [{ plan: "__proto__" }],
  [{ plan: "constructor" }],
  [{ quantity: "1e3" }],
  [{ quantity: "-1" }],
  [{ quantity: "999999" }],
  [{ coin: "toString" }],
  [{ coin: "DOGE" }],
])("a form that was tampered with is refused, and takes nothing: %o", async (tampered) => {
  const form = { ...order(), ...tampered };
  const answer = await send("/account/mining/buy", form);
  expect(answer.status).toBe(400);
  expect((await getBalances(db, customerId)).BTC.available).toBe(40_000n);
});

test("a price that has expired is not taken: a new one is shown in its place, and can be", async () => {
  const old = await quoteContract(db, wish(), ago(60_000));
  await createTestPrice(db, { asset: "BTC", usdE8: usdE8 / 2n, observedAt: ago(1_000) });
  const path = `/account/mining/buy/${old.quoteId}`;
  const late = await send(path, purchase(old.quoteId));
  const html = await late.text();
  expect(late.status).toBe(409);
  expect(html).toContain("The price expired. You were not charged.");
  expect(html).toContain("Buy for 0.00030000 BTC");
  expect(await listContracts(db, customerId)).toEqual([]);

  const quoteId = /name="quoteId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(quoteId).not.toBe(old.quoteId);
  const unread = await send(path, { ...purchase(quoteId), accepted: "" });
  expect(unread.status).toBe(400);
  expect(await unread.text()).toContain("Read the terms and tick the box");
  const bought = await send(path, purchase(quoteId));
  expect(bought.status).toBe(302);
  const again = await send(path, purchase(quoteId));
  expect(again.headers.get("location")).toBe(bought.headers.get("location"));
  expect(await listContracts(db, customerId)).toHaveLength(1);
  expect((await getBalances(db, customerId)).BTC.available).toBe(10_000n);
});

test("another customer's price is neither shown, renewed nor bought, by its address or by its number", async () => {
  const other = await createTestBuyer(db, { sats: 40_000n });
  const theirs = await quoteContract(db, { ...wish(), customerId: other.id }, app.now());
  const own = await quoteContract(db, wish(), app.now());
  const page = `/account/mining/buy/${theirs.quoteId}?terms=${accepted().termsVersion}`;
  expect((await product.request(page, { cookie })).status).toBe(404);
  expect((await send(page, { intent: "new-price" })).status).toBe(404);
  expect((await send(page, purchase(theirs.quoteId))).status).toBe(404);
  const beside = purchase(theirs.quoteId);
  expect((await send(`/account/mining/buy/${own.quoteId}`, beside)).status).toBe(404);
  for (const id of [customerId, other.id]) {
    expect((await getBalances(db, id)).BTC.available).toBe(id === other.id ? 40_000n : 10_000n);
  }
});

test.each([{ termsVersion: "0.1" }, { termsSha256: "0".repeat(64) }])(
  "a purchase under other terms than those in force is refused, asks for the tick, and takes nothing: %o",
  async (other) => {
    const { quoteId } = await quoteContract(db, wish(), app.now());
    const path = `/account/mining/buy/${quoteId}?terms=${other.termsVersion}`;
    const answer = await send(path, { ...purchase(quoteId, { isFirst: false }), ...other });
    expect(answer.status).toBe(409);
    const html = await answer.text();
    expect(html).toContain("The terms have changed since you opened this page");
    expect(html).toContain(tick);
    expect((await getBalances(db, customerId)).BTC.available).toBe(10_000n);
  },
);

test("each price of an order, renewed or not, leads to what was bought of it, and buys no more", async () => {
  const eager = await createTestBuyer(db, { sats: 90_000n });
  const eagers = await signInAs(product, eager);
  const { quoteId } = await quoteContract(db, { ...wish(), customerId: eager.id }, app.now());
  const path = `/account/mining/buy/${quoteId}`;
  const ask = (form?: Record<string, string>) =>
    product.request(path, { cookie: eagers, ...(form && { form }) });
  const renew = async () => {
    const html = await (await ask({ intent: "new-price" })).text();
    return /name="quoteId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  };
  const [one, two] = [await renew(), await renew()];
  const location = (await ask(purchase(two))).headers.get("location") ?? "";
  expect(location).toMatch(/^\/account\/mining\/[0-9a-f-]{36}$/);
  for (const form of [undefined, purchase(one), purchase(quoteId), { intent: "new-price" }]) {
    expect((await ask(form)).headers.get("location")).toBe(location);
  }
  expect(await listContracts(db, eager.id)).toHaveLength(1);
});

test("one form that is sent twice at once buys one contract", async () => {
  const eager = await createTestBuyer(db, { sats: 90_000n });
  const eagers = await signInAs(product, eager);
  const { quoteId } = await quoteContract(db, { ...wish(), customerId: eager.id }, app.now());
  const buy = () =>
    product.request(`/account/mining/buy/${quoteId}`, {
      cookie: eagers,
      form: purchase(quoteId),
    });
  const answers = await Promise.all([buy(), buy(), buy()]);
  expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
  expect(await listContracts(db, eager.id)).toHaveLength(1);
});

test("a price that was opened as one of a first contract buys no second one that cannot be refunded", async () => {
  const eager = await createTestBuyer(db, { sats: 90_000n });
  const eagers = await signInAs(product, eager);
  const [first, second] = await Promise.all(
    [1, 2].map(() => quoteContract(db, { ...wish(), customerId: eager.id }, app.now())),
  );
  if (!first || !second) throw new Error("two prices were given");
  const buy = (form: ReturnType<typeof purchase>) =>
    product.request(`/account/mining/buy/${form.quoteId}`, { cookie: eagers, form });
  expect((await buy(purchase(first.quoteId))).status).toBe(302);
  const other = await buy(purchase(second.quoteId));
  expect(other.status).toBe(409);
  const html = await other.text();
  expect(html).toContain("The first day of this contract has changed since you opened this page");
  expect(html).toContain(`name="startsOn" value="${firstDay(app.now(), false)}"`);
  expect(await listContracts(db, eager.id)).toHaveLength(1);
  expect((await buy(purchase(second.quoteId, { isFirst: false }))).status).toBe(302);
  expect(await listContracts(db, eager.id)).toHaveLength(2);
});

test("who asks for prices without end is stopped in words, and told when to come back", async () => {
  const eager = await createTestBuyer(db, { sats: 90_000n });
  const eagers = await signInAs(product, eager);
  const { quoteId } = await quoteContract(db, { ...wish(), customerId: eager.id }, app.now());
  const path = `/account/mining/buy/${quoteId}`;
  await product.owner.query("update attempts set count = 1000000");
  const answer = await product.request(path, { cookie: eagers, form: { intent: "new-price" } });
  expect(answer.status).toBe(429);
  expect(await answer.text()).toContain("Too many quotes in a short time");
  await product.owner.query("delete from attempts");
});

test("what the balance does not cover is refused in words, and a first contract can be refunded", async () => {
  const { quoteId } = await quoteContract(db, wish(), app.now());
  const answer = await send(
    `/account/mining/buy/${quoteId}`,
    purchase(quoteId, { isFirst: false }),
  );
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("does not cover the price. You were not charged");
  const [contract] = await listContracts(db, customerId);
  const path = `/account/mining/${contract?.contractId}`;
  expect((await send(path, { intent: "__proto__" })).status).toBe(400);
  expect((await send(path, { intent: "give-back" })).status).toBe(302);
  expect((await send(path, { intent: "give-back" })).status).toBe(302);
  expect((await getBalances(db, customerId)).BTC.available).toBe(40_000n);
});

test("a link that was switched off says so, and one that never was leads nowhere", async () => {
  const [contract] = await listContracts(db, customerId);
  if (!contract) throw new Error("no contract was bought above");
  const which = { customerId, contractId: contract.contractId, day: contract.startsOn };
  const { token } = await shareReceipt(db, which, app.now());
  await unshareReceipt(db, which, app.now());
  const gone = await product.request(`/receipt/${token}`);
  expect(gone.status).toBe(410);
  expect(await gone.text()).toContain("This link was switched off");
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
