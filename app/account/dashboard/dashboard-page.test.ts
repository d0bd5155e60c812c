import { expect, test } from "vitest";
import { addDays, formatDay, utcDay } from "#core/utc-day.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createMinedDays } from "#tests/factories/mined-days.ts";
import { createTestContract, createTestFleet, createTestPlan } from "#tests/factories/mining.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const now = new Date();
const today = utcDay(now);
await createTestFleet(db, { ghs: 100_000n, from: addDays(today, -60) });
const plan = {
  priceUsdCents: 1_000n,
  termDays: 60,
  now: new Date(now.getTime() - 50 * 86_400_000),
};
const { versionId } = await createTestPlan(db, plan);

/** A page's words, as they follow each other. */
async function read(path: string, cookie: string): Promise<string> {
  const html = await (await product.request(path, { cookie })).text();
  return html
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

function expectOrder(page: string, words: string[]): void {
  const places = words.map((each) => page.indexOf(each));
  expect(places, words.join(", ")).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

test("a new customer is led through the first steps, before sums of nothing and the market", async () => {
  const grace = await createTestCustomer(db);
  const cookie = await signInAs(product, grace);
  const page = await read("/account/dashboard", cookie);
  expectOrder(page, ["Get started 0 of 6 done", "Deposit $0.00", "Market overview"]);
  expect(page).toContain("2 minutes, then 24 hours until you can withdraw");
  expect(page).not.toContain("You own now");

  await createTestDeposit(app, { customerId: grace.id, method: "Bitcoin" });
  expect(await read("/account/dashboard", cookie)).toContain("Your deposit is being reviewed.");
  await creditTestDeposit(db, grace.id, 1_000n, { now });
  await owner.query("update users set email_verified = true where id = $1", [grace.id]);
  expect(await read("/account/dashboard", cookie)).toContain("2 of 6 done");
});

test("who mines sees earnings, what is next, what there is and what the sums leave out, in this order", async () => {
  const ada = await createTestCustomer(db);
  const cookie = await signInAs(product, ada);
  const { lastDay } = await createMinedDays(db, owner, {
    customerId: ada.id,
    versionId,
    quantity: 2,
    days: 8,
    now,
  });
  await creditTestDeposit(db, ada.id, 400n, { now });
  await createTestPrice(db, { asset: "BTC", usdE8: 9_000_000_000_000n, observedAt: now });
  // Pages share one reading of prices for a second.
  app.now = () => new Date(Date.now() + 1_000);
  const page = await read("/account/dashboard", cookie);
  expectOrder(page, [
    `Mined on ${formatDay(lastDay)} (UTC)`,
    "BTC after maintenance",
    "Hashrate now 2 TH/s",
    "is over and waits for the pool’s payout",
    "Figures by day",
    "You own now: $",
    "Account Profit",
    "Total Sum",
    "Not your balance: includes $20.00 paid for contracts. Withdrawals are not subtracted",
    "Balances",
    "Market overview",
  ]);
  expect(page).toMatch(
    /(?:A loss, before|A gain, before|Before) contract prices; −\$\d+\.\d\d after/,
  );
  expect(page).toMatch(
    /Your BTC covers maintenance (?:for about \d+ days|to the end of your last contract)/,
  );
  expect(page).not.toContain("Get started");
  expect(await read("/account/mining", cookie)).toContain("Your BTC covers maintenance");
});

test("a contract that has not begun says when it will", async () => {
  const bob = await createTestCustomer(db);
  await createTestContract(db, { customerId: bob.id, versionId, quantity: 3, now });
  const page = await read("/account/dashboard", await signInAs(product, bob));
  expect(page).toContain("Your first day is not credited yet");
  expect(page).toContain("0 contracts, 1 not started");
  expect(page).toContain(`starts on ${formatDay(addDays(today, 1))}`);
});

test("an address of nobody below /account keeps the frame, and leads back to the dashboard", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  for (const path of ["/account/nowhere", "/account/mining/nothing", "/account/a/b/c"]) {
    const answer = await product.request(path, { cookie, accept: "text/html" });
    expect(answer.status).toBe(404);
    const html = await answer.text();
    for (const words of ["Welcome,", "Sign Out", "Ohh!!", "Back to the dashboard", "Back home"]) {
      expect(html, path).toContain(words);
    }
  }
  const stranger = await product.request("/account/nowhere");
  expect(stranger.headers.get("location")).toMatch(/^\/login/);
});
