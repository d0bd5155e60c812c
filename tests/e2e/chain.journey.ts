import type { Page } from "@playwright/test";
import pg from "pg";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import { writeThs } from "../../core/mining/hashrate.ts";
import { addDays, utcDay } from "../../core/utc-day.ts";
import { postMiningDay } from "../../server/mining/days/post-mining-day.ts";
import {
  createTestContract,
  createTestFleet,
  createTestPlan,
  createTestPriceOfDay,
  readTestNetwork,
  testHashrateOf,
} from "../factories/mining.ts";
import { appBeside } from "../setup/app-beside.ts";
import type { RunningProduct } from "../setup/run-product.ts";
import { test } from "./chain-product.ts";
import {
  becomeOperator,
  expect,
  expectAccessible,
  expectSound,
  mailTo,
  newEmail,
  signUp,
} from "./journey.ts";

// One product and its nodes for both.
test.describe.configure({ mode: "default" });

test("a payment shows, confirms and is credited; a branch that is left takes it back, and the page says so", async ({
  page,
  browser,
  product: { bitcoin },
}) => {
  const email = newEmail("payer");
  await signUp(page, email);
  await page.goto("/account/deposit");
  await page
    .locator("summary")
    .filter({ has: page.getByText("Bitcoin", { exact: true }) })
    .click();
  await expect(
    page.getByText("on the Bitcoin network. This address is yours alone."),
  ).toBeVisible();
  const address = await page.locator("details[open] code").innerText();
  const onTheWay = page.getByRole("region", { name: "On the way" });
  await expect(onTheWay.getByText("No payment is on its way.")).toBeVisible();

  // What somebody types meanwhile stays, however often the page asks.
  await page.getByLabel("Amount").fill("$17");
  const txid = await bitcoin.pay(address, 250_000n);
  await expect(onTheWay.getByText("Seen", { exact: true })).toBeVisible();
  await expect(onTheWay.getByText("0.0025", { exact: true })).toBeVisible();
  await bitcoin.mine();
  await expect(onTheWay.getByText("1 of 3 confirmations")).toBeVisible();
  await expectAccessible(page);
  await bitcoin.mine(2);
  await expect(onTheWay.getByText("Credited", { exact: true })).toBeVisible();
  // The table below has it, too, and nobody has loaded the page again.
  const row = page.getByRole("row").filter({ hasText: "Bitcoin" });
  await expect(row).toContainText("Approved");
  await expect(page.getByLabel("Amount")).toHaveValue("$17");
  await mailTo(email, /payment is credited: 0\.00250000 BTC/);
  await onTheWay.getByRole("link", { name: "See the deposit" }).click();
  await expect(page.getByText("Confirmed by 3 blocks")).toBeVisible();
  await expectAccessible(page);

  await bitcoin.reorganise(3);
  await mailTo(email, /credit was reversed/);
  await page.reload();
  await expect(page.getByText("We reversed this credit")).toBeVisible();
  await page.goto("/account/deposit");
  await expect(onTheWay.getByText("The network replaced its block")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Bitcoin" })).toContainText("Reversed");

  const find = page.getByRole("region", { name: "Where is my deposit?" });
  const ask = async (text: string) => {
    await find.getByLabel("Transaction id").fill(text);
    await find.getByRole("button", { name: "Find deposit" }).click();
  };
  await ask("not an id");
  await expect(find.getByText("A Bitcoin transaction id is 64 characters")).toBeVisible();
  await ask("ab".repeat(32));
  await expect(find.getByText("Our node does not know it")).toBeVisible();
  await ask(await bitcoin.pay(await bitcoin.call("getnewaddress"), 1_000_000n));
  await expect(find.getByText("It does not pay your address")).toBeVisible();
  await ask(txid);
  await expect(find.getByText("It waits for another one.")).toBeVisible();
  await expectAccessible(page);
  await bitcoin.mine(3);
  await mailTo(email, /payment is credited/);
  await expectSound(page, `/account/deposit?txid=${txid}`);

  const staff = await (await browser.newContext()).newPage();
  await becomeOperator(staff);
  await staff.goto("/operator/chain");
  const source = staff.getByRole("region", { name: "Bitcoin", exact: true });
  await expect(source.getByText("Follows the chain")).toBeVisible();
  await expect(staff.getByRole("region", { name: "Branches that were left" })).toContainText("3");
  const seen = staff.getByRole("region", { name: "Payments seen, newest first" });
  await expect(seen.getByTitle(txid)).toBeVisible();
  await expectSound(staff, "/operator/chain");
  await staff.goto("/operator/reconciliation");
  const read = staff.getByRole("region", { name: "Read by the node" });
  await expect(read.getByText(/^block \d+$/)).toBeVisible();
  await staff.goto("/operator/deposits?state=approved");
  await expect(staff.getByText("Its payment")).toBeVisible();
  await staff.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(staff.getByText("Its payment, confirmed on chain")).toBeVisible();
  await expectAccessible(staff);
});

test("a payment in USDT shows, becomes final and is credited; one whose block is replaced is gone, and the page says so", async ({
  page,
  browser,
  product: { ethereum },
}) => {
  const email = newEmail("token-payer");
  await signUp(page, email);
  await page.goto("/account/deposit");
  const method = page.locator("summary").filter({ has: page.getByText("USDT", { exact: true }) });
  await method.click();
  await expect(page.getByText("on the Ethereum network (ERC-20). This address is")).toBeVisible();
  const address = await page.locator("details[open] code").innerText();
  const onTheWay = page.getByRole("region", { name: "On the way" });
  await expect(onTheWay.getByText("USDT once its block is final")).toBeVisible();
  const find = page.getByRole("region", { name: "Where is my deposit?" });
  const ask = async (text: string) => {
    await find.getByLabel("Transaction id").fill(text);
    await find.getByRole("button", { name: "Find deposit" }).click();
  };

  const txid = await ethereum.payTokens(address, 250_000_000n);
  await ask(txid);
  await expect(find.getByText("It is waiting for a block.")).toBeVisible();
  await ethereum.mine();
  await expect(onTheWay.getByText("1 confirmation, not final yet")).toBeVisible();
  await expect(onTheWay.getByText("250", { exact: true })).toBeVisible();
  await ask(txid);
  await expect(find.getByText("once the network calls that block final")).toBeVisible();
  await expectSound(page, `/account/deposit?txid=${txid}`);
  await ethereum.finalize();
  await expect(onTheWay.getByText("Credited", { exact: true })).toBeVisible();
  await mailTo(email, /payment is credited: 250\.000000 USDT/);
  await onTheWay.getByRole("link", { name: "See the deposit" }).click();
  await expect(page.getByText("and its block was final")).toBeVisible();

  await page.goto("/account/deposit");
  const lost = await ethereum.pay(address, 10n ** 17n);
  await ethereum.mine();
  await expect(onTheWay.getByText("1 confirmation, not final yet")).toBeVisible();
  await ethereum.reorganise(1);
  await expect(onTheWay.getByText("The network replaced its block")).toBeVisible();
  await ask(lost);
  await expect(find.getByText("Left the chain")).toBeVisible();

  const staff = await (await browser.newContext()).newPage();
  await becomeOperator(staff);
  await staff.goto("/operator/chain");
  const panel = staff.getByRole("region", { name: "Ethereum" });
  await expect(panel.getByText("Follows the chain")).toBeVisible();
  await expect(panel.getByText("is seen")).toBeVisible();
  await expect(staff.getByRole("region", { name: "Branches that were left" })).toContainText(
    "Ethereum",
  );
});

test("a pool's coin covers its payout, whose one person needs no other; a receipt names it, also when it left the chain and came back", async ({
  page: miner,
  browser,
  product,
}) => {
  const { bitcoin } = product;
  const staff = await (await browser.newContext()).newPage();
  await becomeOperator(staff);
  await staff.goto("/operator/payouts/pools");
  await staff.getByLabel("Name").fill("Coin Pool");
  const yesterday = addDays(utcDay(new Date()), -1);
  await staff.getByLabel("Counts from (UTC day)").fill(yesterday);
  await staff.getByRole("button", { name: "Add the pool" }).click();
  await staff.getByRole("link", { name: "Coin Pool" }).click();
  await expect(staff.getByText("The pool has no address yet")).toBeVisible();
  await expectSound(staff, new URL(staff.url()).pathname);
  await staff.getByRole("button", { name: "Name this address for good" }).click();
  await expect(staff.getByText("Nothing has arrived yet.")).toBeVisible();
  const address = await staff
    .getByRole("region", { name: "Its address" })
    .locator("code")
    .first()
    .innerText();
  const txid = await bitcoin.pay(address, 300_000_000n);
  const coins = staff.getByRole("region", { name: "Coins", exact: true });
  const untilShown = (words: string) =>
    expect(async () => {
      await staff.reload();
      await expect(coins.getByText(words)).toBeVisible({ timeout: 2_000 });
    }).toPass();
  await untilShown("Waits for a block");
  await bitcoin.mine(5);
  await untilShown("5 of 6 blocks");
  await bitcoin.mine();
  await untilShown("Counts");
  const page = staff.url();
  const owner = new pg.Pool({
    connectionString: findRunningEmbeddedPostgres(product.dataDir)?.ownerUrl,
  });
  await readTestNetwork(owner, yesterday);
  await owner.end();
  await staff.goto("/operator/payouts/new");
  await staff.getByLabel("Pool").selectOption("Coin Pool");
  await staff.getByLabel("UTC day").fill(yesterday);
  await staff.getByLabel("Paid, BTC").fill("3");
  const delivered = writeThs(testHashrateOf(300_000_000n));
  await staff.getByLabel("Delivered, TH/s").fill(delivered);
  await staff.getByLabel("Transaction id").fill("ab".repeat(32));
  await staff.getByRole("button", { name: "Enter it" }).click();
  await expect(staff.getByText("Covered by coins that your node saw")).toBeVisible();

  const receipt = await postDayFor(miner, product, yesterday);
  await expectSound(miner, receipt);
  await expect(miner.getByText(/in block [\d,]+/)).toBeVisible();
  expect(await miner.content()).toContain(`${txid}:`);

  await bitcoin.reorganise(6);
  await staff.goto(page);
  await untilShown("Waits for a block");
  await expect(staff.getByText("Coins are missing")).toBeVisible();
  await expectSound(staff, new URL(page).pathname);
  await miner.reload();
  await expect(miner.getByText("Not any more: coins of the pool are missing")).toBeVisible();
  await bitcoin.mine(6);
  await untilShown("Counts");
  await miner.reload();
  await expect(miner.getByText(/in block [\d,]+/)).toBeVisible();
});

/** Who has had a contract for days, and gets a part of what the pool paid for one of them. Its receipt's address. */
async function postDayFor(page: Page, product: RunningProduct, day: string): Promise<string> {
  const { db } = appBeside(product);
  const email = newEmail("miner");
  await signUp(page, email);
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  const before = new Date(`${addDays(day, -2)}T12:00:00Z`);
  await createTestFleet(db, { ghs: 100_000n, from: addDays(day, -3) });
  const { versionId } = await createTestPlan(db, { now: before });
  const contract = { customerId: rows[0].id, versionId, now: before };
  const { contractId } = await createTestContract(db, contract);
  await createTestPriceOfDay(db, day);
  await postMiningDay(db, day, new Date());
  return `/account/mining/${contractId}/${day}`;
}
