import type { Page } from "@playwright/test";
import pg from "pg";
import { postCorrections } from "#server/mining/days/post-corrections.ts";
import { readConfig } from "#server/platform/config/read-config.ts";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import { type Db, openDatabase } from "#server/platform/database.ts";
import { openLog } from "#server/platform/log/log.ts";
import { offerTestPlan } from "../factories/contract.ts";
import { creditTestDeposit } from "../factories/credited-deposit.ts";
import { createTestPrice } from "../factories/market.ts";
import { createMinedDays } from "../factories/mined-days.ts";
import { correctTestPayout, createTestFleet, dayAfter } from "../factories/mining.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import { expect, expectSound, test as journey, newEmail, signUp } from "./journey.ts";

/** On a product of its own: others expect a site without prices and machines. */
const test = journey.extend<object, { product: RunningProduct & { db: Db; owner: pg.Pool } }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const product = await runProduct({});
      const { dataDir } = readConfig({ DATA_DIR: product.dataDir });
      const running = findRunningEmbeddedPostgres(dataDir);
      if (!running) throw new Error("the product has no database");
      const db = openDatabase(running.applicationUrl, openLog("silent"), { connections: 4 });
      const owner = new pg.Pool({ connectionString: running.ownerUrl, max: 1 });
      await use({ ...product, db, owner });
      await db.$client.end();
      await owner.end();
      await product.stop();
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});

/** Whose answer is lost: the same price is sent again, also after it has ended. The address of the contract. */
async function buyThroughAnOutage(quoted: Page): Promise<string> {
  const page = await quoted.context().newPage();
  await page.clock.install();
  await page.goto(quoted.url());
  await page.getByRole("button", { name: "Get a new price" }).click();
  const buy = page.getByRole("button", { name: /^Buy for 0\.00015/ });
  await page.clock.runFor(2_000);
  await expect(buy).toBeEnabled();
  // A renewal without an answer says so.
  await page.clock.runFor(31_000);
  await page.route(/\/mining\/.*\.data/, (route) => route.abort("failed"));
  await page.getByRole("button", { name: "Get a new price" }).click();
  await expect(page.getByText("The site did not answer. Get a new price")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Get a new price" }).click();
  await page.clock.runFor(2_000);
  await expect(buy).toBeEnabled();
  await page.route(/\/mining\/.*\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("failed");
  });
  await buy.click();
  await expect(page.getByText("this may be bought or not")).toBeVisible();
  await page.clock.runFor(40_000);
  await page.unrouteAll();
  // Opened anew it is what was bought.
  const reloaded = await page.context().newPage();
  await reloaded.goto(page.url());
  await expect(reloaded.getByRole("heading", { name: "What happens next" })).toBeVisible();
  await reloaded.close();
  await buy.click();
  await expect(page.getByRole("heading", { name: "What happens next" })).toBeVisible();
  return page.url();
}

test("a customer reads the plans, buys, thinks again, mines, checks a receipt, shares it, and sees what can end a contract", async ({
  page,
  browser,
  product: { db, owner, url },
}) => {
  const now = new Date();
  const today = now.toISOString().slice(0, 10);
  await createTestFleet(db, { ghs: 1_000_000n, from: dayAfter(today, -60) });
  // Dear to run, so that what is mined does not pay for it.
  const dear = { maintenanceUsdMicros: 60_000n, energyUsdMicros: 50_000n };
  const { planVersionId, slug } = await offerTestPlan(db, {
    ...dear,
    slug: "ninety-days",
    name: "Ninety days",
    termDays: 90,
    now: new Date(now.getTime() - 60 * 86_400_000),
  });
  await db.$client.query(
    `insert into network_figures (observed_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
       fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
     values (now() - interval '1 minute', 'mempool.example', false, 900000, 150000000000000, 1e21, 312500000, 0, 3, 2, 1)`,
  );
  const usdE8 = 100_000n * 10n ** 8n;
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: new Date(now.getTime() - 1_000) });

  // Public pages were made when the product started, and are made anew when somebody asks.
  await expect(async () => {
    await page.goto("/plans");
    await expect(page.getByRole("heading", { name: "Ninety days" })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectSound(page, "/plans");
  await expect(page.getByText("None has ended yet")).toBeVisible();
  await expectSound(page, `/calculator?plan=${slug}&change=-50&growth=5`);
  await expect(page.getByRole("heading", { name: /a loss/ })).toBeVisible();
  await expect(page.getByText("The price is never covered")).toBeVisible();
  await expect(page.getByRole("img", { name: /With your assumptions/ })).toBeVisible();

  const email = newEmail("ada");
  await signUp(page, email);
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  const customerId: string = rows[0].id;
  // Enough for a unit, and for the maintenance of all of the mined days but the last.
  await creditTestDeposit(db, customerId, 23_000n, { now });
  await page.goto("/account/mining");
  await expect(page.getByText("No contracts yet")).toBeVisible();
  await page.clock.install();
  await page.goto(`/account/mining/buy?plan=${slug}&units=60`);
  await page.getByLabel("Country you live in").selectOption("GB");
  await page.getByRole("button", { name: "Save" }).click();
  // The order says what it comes to, and keeps what the link filled in.
  await expect(page.getByLabel("Units")).toHaveValue("60");
  await expect(page.getByText("60 × $15.00")).toBeVisible();
  await page.getByLabel("Units").fill("1");
  await expect(page.getByText(/Result over the term, after the price: −\$/)).toBeVisible();
  await page.getByRole("button", { name: "Get a price" }).click();
  await expect(page.getByText("Read the terms and tick the box")).toBeVisible();
  await page.getByRole("checkbox", { name: /I have read the terms/ }).check();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.getByRole("button", { name: "Get a price" }).click();
  await expect(page.getByRole("timer")).toContainText("Held for");
  const buy = page.getByRole("button", { name: /^Buy for 0\.00015/ });
  // The second click of a double click on "Get a price" buys nothing.
  await expect(buy).toBeDisabled();
  await buy.click({ force: true });
  await page.clock.resume();
  await expect(buy).toBeEnabled();
  await expect(buy).toBeInViewport();
  // The price ends: it is said once before and once then, the focus stays, and the terms need no second tick.
  await buy.focus();
  await page.clock.fastForward(21_000);
  await expect(page.getByText("10 seconds left at this price.")).toBeAttached();
  await page.clock.fastForward(10_000);
  const again = page.getByRole("button", { name: "Get a new price" });
  await expect(again).toBeFocused();
  await expect(page.getByText("The price has expired. You were not charged.")).toBeAttached();
  await page.keyboard.press("Enter");
  await expect(buy).toBeFocused();
  await expect(page.getByText(/^New price: 0\.00015/)).toBeAttached();
  await expect(page.getByRole("checkbox", { name: /I have read/ })).toHaveCount(0);
  await page.goto(await buyThroughAnOutage(page));
  await expect(page.getByRole("heading", { name: "What happens next" })).toBeVisible();
  const { rowCount } = await db.$client.query("select from contracts where customer_id = $1", [
    customerId,
  ]);
  expect(rowCount).toBe(1);
  const paper = await page.request.get(`${page.url()}/contract.pdf`);
  expect((await paper.body()).subarray(0, 5).toString()).toBe("%PDF-");
  await page.getByRole("button", { name: "Refund this contract" }).click();
  await expect(page.getByText("Refunded. Everything you paid")).toBeVisible();
  await page.getByRole("button", { name: "Refund this contract" }).waitFor({ state: "detached" });

  // Twelve days later, as it were: all that was left pays fees until it is gone, and a clock runs.
  const mined = { customerId, versionId: planVersionId, quantity: 100, days: 12, now };
  const { contractId, lastDay } = await createMinedDays(db, owner, mined);
  await expectSound(page, "/account/mining");
  // Yesterday has no payout yet, which takes no time from him.
  await expect(
    page.getByText(/Maintenance of Ninety days is unpaid. The timer is paused/),
  ).toBeVisible();
  await expect(page.getByRole("img", { name: /Net earnings of 12 days/ })).toBeVisible();
  await page.getByText("The figures of the last 12 days").click();
  await expect(page.getByRole("rowheader", { name: lastDay })).toBeVisible();
  await page.getByRole("link", { name: "100 × Ninety days" }).click();
  await expect(page.getByText(/^Day \d+ of 90\. Mined /)).toBeVisible();
  await expect(page.getByText(/extended beyond/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Order again" })).toHaveAttribute(
    "href",
    `/account/mining/buy?plan=${slug}&units=100&coin=BTC`,
  );
  await expect(page.getByLabel("Breadcrumb")).toHaveText(/Account.*Ninety days/);
  const csv = await page.request.get(`/account/mining/${contractId}/days.csv`);
  expect((await csv.text()).trim().split("\r\n")).toHaveLength(13);

  await page.getByRole("link", { name: lastDay, exact: true }).click();
  await expect(
    page.getByRole("heading", { name: /Why this day was lower|Compared with the day before/ }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Recompute" }).click();
  await expect(page.getByText(/Match: all \d+ steps/)).toBeVisible();
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByText(new RegExp(`${url}/receipt/`)).innerText();
  const stranger = await browser.newPage();
  await expectSound(stranger, link);
  await stranger.getByRole("button", { name: "Recompute" }).click();
  await expect(stranger.getByText(/Match: all \d+ steps/)).toBeVisible();
  for (const own of ["Ada", "Lovelace", email, customerId, contractId]) {
    expect(await stranger.content()).not.toContain(own);
  }
  await page.getByRole("button", { name: "Switch the link off" }).click();
  await expect(page.getByText("The link is switched off")).toBeVisible();
  expect((await stranger.goto(link))?.status()).toBe(410);
  await expect(stranger.getByRole("heading", { name: "This link was switched off" })).toBeVisible();
  await stranger.close();

  // The pool had paid another amount, and somebody bought what was left.
  const [payout] = (await db.$client.query("select id from current_payouts($1)", [lastDay])).rows;
  await correctTestPayout(db, payout.id, { units: 1_234n, now });
  await postCorrections(db, now);
  await expectSound(page, `/account/mining/${contractId}/${lastDay}`);
  await expect(page.getByRole("heading", { name: "Correction" })).toBeVisible();
  await page.getByRole("button", { name: "Recompute" }).click();
  await expect(page.getByText(/Match: all \d+ steps/)).toBeVisible();
  await expectSound(page, `/account/mining/${contractId}`);
  await db.$client.query(
    `with act as (insert into audit_log (id, act, operator_id, subject, occurred_at)
       select gen_random_uuid(), 'fleet/set-reserve', id, 'fleet', now() from operators limit 1 returning id)
     insert into fleet_reserves (reserve_ppm, created_at, action_id) select 1000000, now(), id from act`,
  );
  await expectSound(page, "/account/mining/buy");
  await expect(page.getByText("sold out at the moment")).toBeVisible();

  // All of it stands behind the bell.
  await expectSound(page, "/account/notices");
  await expect(page.getByRole("link", { name: "Refunded: 1 × Ninety days" })).toBeVisible();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByText("All are marked as read")).toBeVisible();
});
