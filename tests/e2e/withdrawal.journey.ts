import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import pg from "pg";
import { toChecksumAddress } from "#core/payments/address.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { messagePsbt } from "#core/wallet/bip322.ts";
import { EthereumNode } from "#server/chain/ethereum/ethereum-node.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { readReserves } from "#server/reconciliation/reserves/read-reserves.ts";
import { prepareReserve } from "#server/reconciliation/reserves/sign-reserves.ts";
import { followBatches } from "#server/withdrawals/batches/follow-batches.ts";
import { balanceOf } from "#server/withdrawals/ethereum/read-token.ts";
import { mineWithLyingToken } from "../factories/lying-token.ts";
import { createTestPrice } from "../factories/market.ts";
import { sealedTwoDaysAgo } from "../factories/proof.ts";
import { createBitcoinPrice, letWithdraw } from "../factories/withdrawal.ts";
import { appBeside } from "../setup/app-beside.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import {
  becomeOperator,
  expect,
  expectSound,
  linkIn,
  mailTo,
  newEmail,
  signUp,
} from "./journey.ts";
import { test } from "./withdrawal-product.ts";

// One product, with a node of each chain, for both.
test.describe.configure({ mode: "default" });

async function asOwner(dataDir: string, act: (owner: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({
    connectionString: findRunningEmbeddedPostgres(dataDir)?.ownerUrl,
  });
  await client.connect();
  await act(client);
  await client.end();
}

/** The request was made a day ago: batches of a test cannot wait until tomorrow. */
const letADayPass = (dataDir: string) =>
  asOwner(dataDir, (owner) =>
    owner.query(`
    begin;
    alter table withdrawals disable trigger user;
    update withdrawals set requested_at = requested_at - interval '1 day', confirm_by = confirm_by - interval '1 day',
      due_on = due_on - 1;
    alter table withdrawals enable always trigger withdrawals_move_forward;
    alter table withdrawals enable trigger user;
    commit`),
  );

async function takeAway(page: Page): Promise<Buffer> {
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download to sign" }).click();
  return readFile(await (await coming).path());
}

/** Whose answer is lost, and who sends the form again: it keeps its key although the page is opened once more meanwhile. */
async function requestThroughAnOutage(customer: Page, address: string): Promise<string> {
  const page = await customer.context().newPage();
  await page.goto("/account/withdraw");
  const amount = page.getByLabel("Amount in BTC");
  const send = page.getByRole("button", { name: "Request withdrawal" });
  await page.getByLabel("New Bitcoin address").fill(address);
  await amount.fill("0.002");
  await expect(page.getByText("0.00195", { exact: false }).first()).toBeVisible();
  await page.route("**/withdraw.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort("failed");
  });
  await send.click();
  const unanswered = page.getByText("The site did not answer");
  await expect(unanswered).toBeVisible();
  const opened = page.waitForResponse("**/withdraw.data*");
  await page.getByRole("link", { name: "Withdraw", exact: true }).click();
  await opened;
  await expect(unanswered).toBeVisible();
  await expect(amount).toHaveValue("0.002");
  // At another address the page is read anew, and the form is still the same.
  await page.getByRole("navigation", { name: "Coin" }).getByRole("link").first().click();
  await expect(unanswered).toHaveCount(0);
  await expect(amount).toHaveValue("0.002");
  await page.unrouteAll();
  await send.click();
  await expect(page.getByText("Confirm it by e-mail")).toBeVisible();
  return new URL(page.url()).pathname;
}

test("bitcoin leaves: asked for, confirmed by mail, approved, signed elsewhere, sent and confirmed on chain", async ({
  page: customer,
  browser,
  product,
}) => {
  const { bitcoin, wallet, dataDir } = product;
  const { db, now, config } = appBeside(product);
  expect(config.network).toBe("regtest");
  await wallet.fund(50_000_000n);
  await createBitcoinPrice(db, now());
  const email = newEmail("ada");
  await signUp(customer, email);
  const to = await bitcoin.call<string>("getnewaddress", [], "miner");
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  await letWithdraw(db, rows[0].id, { units: 1_000_000n, address: to, now: now() });

  await customer.goto("/account/withdraw");
  await customer
    .getByLabel("New Bitcoin address")
    .fill("0xdAC17F958D2ee523a2206206994597C13D831ec7");
  await expect(customer.getByText("This is the contract of USDT itself")).toBeVisible();
  await customer
    .getByLabel("New Bitcoin address")
    .fill(to.replace(/.$/, "b").replace("bcrt", "bc"));
  await expect(customer.getByText(/checksum does not fit|another network/)).toBeVisible();
  await customer.getByLabel("Amount in BTC").fill("0.0001");
  await customer.getByRole("button", { name: "Request withdrawal" }).click();
  await expect(customer.getByText("The minimum is 0.00070000 BTC")).toBeVisible();
  const details = await requestThroughAnOutage(customer, to);
  const asked = await db.$client.query("select from withdrawals where customer_id = $1", [
    rows[0].id,
  ]);
  expect(asked.rowCount).toBe(1);

  const mail = await mailTo(email, /Confirm your withdrawal of 0.00200000 BTC/);
  expect(mail.text).toContain(to);
  await customer.goto(linkIn(mail));
  await expect(customer.getByText(to)).toBeVisible();
  await customer.getByRole("button", { name: "Confirm withdrawal" }).click();
  await expect(customer.getByText("Thank you, it is confirmed")).toBeVisible();
  await customer.goto(linkIn(mail));
  await expect(customer.getByText("This was confirmed already")).toBeVisible();
  await letADayPass(dataDir);
  await sealTransfers(db, now());
  await asOwner(dataDir, sealedTwoDaysAgo);
  await publishProofDays(db);

  const maker = await (await browser.newContext({ baseURL: product.url })).newPage();
  await becomeOperator(maker);
  await maker.goto("/operator/withdrawals");
  await maker.getByRole("link", { name: "Ada Lovelace" }).click();
  const decision = new URL(maker.url()).pathname;
  await maker.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(maker.getByText("Approved. It goes into the batch of its day")).toBeVisible();
  await maker.goto("/operator/withdrawals/batches");
  await maker.getByRole("button", { name: "Look for coins" }).click();
  // The page reads itself again until the node has answered.
  await expect(maker.getByText("in 1 coin")).toBeVisible();
  await expect(maker.getByText(/The node has no estimate at block \d+/)).toBeVisible();
  await maker.getByLabel("Fee rate").fill("5.5");
  await maker.getByRole("button", { name: /^Form the batch of/ }).click();
  await expect(maker.getByText("Download it and sign it")).toBeVisible();
  await expect(maker.getByText("5.5 sat/vB")).toBeVisible();
  await expect(maker.getByText("Mark, an output of no value (OP_RETURN)")).toBeVisible();
  const batch = new URL(maker.url()).pathname;

  const psbt = await takeAway(maker);
  await maker.getByLabel("Or its text").fill(psbt.toString("base64"));
  await maker.getByRole("button", { name: "Compare and keep" }).click();
  await expect(maker.getByText("It is not signed by the keys of this wallet")).toBeVisible();
  const signed = await wallet.sign(psbt);
  const file = { name: "signed.psbt", mimeType: "application/octet-stream", buffer: signed };
  await maker.getByLabel("The signed file").setInputFiles(file);
  await maker.getByRole("button", { name: "Compare and keep" }).click();
  await expect(maker.getByText("Signed, waits for a colleague")).toBeVisible();

  const checker = await (await browser.newContext({ baseURL: product.url })).newPage();
  await becomeOperator(checker);
  await checker.goto(batch);
  await checker.getByRole("button", { name: "Order the broadcast" }).click();
  await expect.poll(() => bitcoin.node.getMempool()).toHaveLength(1);
  const [txid = ""] = await bitcoin.node.getMempool();
  await mailTo(email, /0.00195000 BTC is on its way to you/);
  await bitcoin.mine(3);
  const nodes = { bitcoin: bitcoin.node, ethereum: null };
  await followBatches(db, { nodes, network: "regtest", finality: "finalized" }, now);
  await customer.goto(details);
  await expect(customer.getByText("Confirmed on chain").first()).toBeVisible();
  expect(await bitcoin.call("getreceivedbyaddress", [to, 1], "miner")).toBe(0.00195);
  await mailTo(email, /0.00195000 BTC has arrived/);
  await customer.goto("/account/transactions");
  await expect(customer.getByRole("row").filter({ hasText: "Withdrawal sent" })).toBeVisible();

  // The transaction carries yesterday's hash, which includes the request.
  const request = await db.$client.query(
    "select id from ledger_transfers where kind = 'withdrawal-request' and owner_id = $1",
    [rows[0].id],
  );
  const evidence = `/account/evidence/${request.rows[0].id}`;
  await customer.goto(evidence);
  await expect(customer.getByText(`transaction ${txid} carries that hash.`)).toBeVisible();
  const recompute = customer.getByRole("button", { name: "Recompute" });
  const recomputed = customer.getByRole("status");
  for (const [answer, words] of [
    [{ status: 429 }, "Please try again in ten minutes."],
    [{ status: 408 }, "could not be fetched"],
    [{ body: "no file" }, "cannot be computed"],
  ] as const) {
    await customer.route("**/proof.json", (route) => route.fulfill(answer), { times: 1 });
    await recompute.click();
    await expect(recomputed.filter({ hasText: words })).toBeVisible();
    await expect(recompute).toBeFocused();
  }
  await recompute.click();
  await expect(
    recomputed.filter({ hasText: "Match: all 4 steps agree digit by digit." }),
  ).toBeVisible();
  await expect
    .poll(async () => (await customer.request.get("/proof")).text(), { timeout: testTimeoutMs })
    .toContain(`data-copy="${txid}"`);

  // The same hash includes what was owed to the customer: the dashboard checks that by itself, the page when asked.
  // It looked when there was nothing to check yet, and would look again in an hour.
  await customer.evaluate(() => localStorage.clear());
  await customer.goto("/account/dashboard");
  await expect(customer.getByText(/checked today that you are in the proof of/)).toBeVisible();
  await customer.getByRole("link", { name: "Your part of the daily proof" }).click();
  await expect(customer.getByText(txid)).toBeVisible();
  for (const [body, words] of [
    ["[]", "No match: no hash of"],
    ["no file", "The published hashes could not be fetched"],
    [
      JSON.stringify([{ day: addDays(utcDay(now()), -1), digest: "ab".repeat(32) }]),
      "No match: 2 of",
    ],
  ] as const) {
    await customer.route("**/proof/*.json", (route) => route.fulfill({ body }), { times: 1 });
    await recompute.click();
    await expect(recomputed.filter({ hasText: words })).toBeVisible();
  }
  const forget = customer.getByRole("button", { name: "Forget the hash of" });
  await expect(forget).toBeVisible();
  await recompute.click();
  await expect(forget).toBeHidden();
  await expect(recomputed.filter({ hasText: /Match: all \d steps agree/ })).toBeVisible();

  // The change of the batch signs the same proof, offline, and everybody sees it until it is spent.
  await maker.goto("/operator/reconciliation/reserves");
  const address = await maker.getByLabel("Address").inputValue();
  const toSign = await prepareReserve(db, { address, network: "regtest" });
  await expect(maker.getByText(toSign?.message ?? "nothing to sign")).toBeVisible();
  const signature = maker.getByLabel("Signature or signed PSBT");
  const another = await wallet.sign(messagePsbt("another message", address, "regtest"));
  await signature.fill(another.toString("base64"));
  await maker.getByRole("button", { name: "Check and publish" }).click();
  await expect(maker.getByText("nor the signed PSBT. Copy all")).toBeVisible();
  await expect(signature).toHaveValue(another.toString("base64"));
  await signature.fill((await wallet.sign(toSign?.psbt ?? psbt)).toString("base64"));
  await maker.getByRole("button", { name: "Check and publish" }).click();
  await expect(maker.getByText("It counts once our node has found the coins")).toBeVisible();
  await readReserves(db, { node: bitcoin.node, network: "regtest" }, now);
  await maker.reload();
  await expect(maker.getByRole("cell", { name: "yes" })).toBeVisible();
  await expect
    .poll(async () => (await customer.request.get("/proof")).text(), { timeout: testTimeoutMs })
    .toContain(`data-copy="${address}"`);

  for (const path of ["/account/withdraw", "/account/proof", details, evidence])
    await expectSound(customer, path);
  for (const path of [
    "/operator/withdrawals",
    decision,
    "/operator/withdrawals/batches",
    batch,
    "/operator/reconciliation/reserves",
  ]) {
    await expectSound(checker, path);
  }
  await maker.context().close();
  await checker.context().close();
});

test("USDT leaves: asked for, confirmed by mail, approved, signed offline, sent and final, and the statement balances", async ({
  page: customer,
  browser,
  product,
}) => {
  const { ethereum, hotWallet, dataDir } = product;
  const { db, now } = appBeside(product);
  await createTestPrice(db, { asset: "USDT", usdE8: 100_000_000n, observedAt: now() });
  const email = newEmail("grace");
  await signUp(customer, email);
  const to = toChecksumAddress(ethereum.accounts[4] ?? "");
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  const money = { coin: "USDT" as const, units: 250_000_001n, address: to, now: now() };
  await letWithdraw(db, rows[0].id, money);

  await customer.goto("/account/withdraw?coin=ETH");
  await expect(customer.getByText("An address for ether")).toBeVisible();
  await customer.getByRole("link", { name: /^USDT/ }).click();
  await expect(customer.getByRole("heading", { name: "Withdraw USDT" })).toBeVisible();
  const typing = customer.getByLabel("New Ethereum address");
  await typing.fill(ethereum.usdt);
  await expect(customer.getByText("This is the contract of USDT itself")).toBeVisible();
  await typing.fill("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
  await expect(customer.getByText("This is a Tron address")).toBeVisible();
  await typing.fill(to.toLowerCase());
  await expect(customer.getByText("It has no checksum")).toBeVisible();
  await customer.getByLabel("Name", { exact: true }).fill("Exchange");
  await typing.fill(hotWallet.address);
  await customer.getByRole("button", { name: "Add address" }).click();
  await expect(customer.getByText("This is one of our addresses")).toBeVisible();
  await customer.getByLabel("Amount in USDT").fill("19");
  await customer.getByRole("button", { name: "Request withdrawal" }).click();
  await expect(customer.getByText("The minimum is 20.000000 USDT")).toBeVisible();
  await customer.getByLabel("Amount in USDT").fill("100.000001");
  await expect(customer.getByText("97.000001").first()).toBeVisible();
  await expectSound(customer, "/account/withdraw?coin=USDT");
  await customer.getByLabel("Amount in USDT").fill("100.000001");
  await customer.getByRole("button", { name: "Request withdrawal" }).click();
  await expect(customer.getByText("Confirm it by e-mail")).toBeVisible();
  const details = new URL(customer.url()).pathname;
  const mail = await mailTo(email, /Confirm your withdrawal of 100.000001 USDT/);
  expect(mail.text).toContain(to);
  await customer.goto(linkIn(mail));
  await customer.getByRole("button", { name: "Confirm withdrawal" }).click();
  await expect(customer.getByText("Thank you, it is confirmed")).toBeVisible();
  await letADayPass(dataDir);

  const maker = await (await browser.newContext({ baseURL: product.url })).newPage();
  await becomeOperator(maker);
  await maker.goto("/operator/withdrawals");
  await maker.getByRole("link", { name: "Ada Lovelace" }).click();
  await maker.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(maker.getByText("Approved. It goes into the batch of its day")).toBeVisible();
  await maker.goto("/operator/withdrawals/batches");
  await expect(maker.getByLabel("Highest fee")).not.toHaveValue("");
  await maker.getByLabel("Tip").fill("99999");
  await maker.getByRole("button", { name: /^Form the Ethereum batch of/ }).click();
  await expect(maker.getByText("gwei of which the tip is a part")).toBeVisible();
  await maker.getByLabel("Tip").fill("1");
  await maker.getByRole("button", { name: /^Form the Ethereum batch of/ }).click();
  await expect(maker.getByText("Download it and sign it")).toBeVisible();
  const batch = new URL(maker.url()).pathname;

  const file = await takeAway(maker);
  const thief = { from: ethereum.accounts[5] };
  await maker.getByLabel("Or its text").fill((await hotWallet.sign(file, thief)).join("\n"));
  await maker.getByRole("button", { name: "Compare and keep" }).click();
  await expect(maker.getByText(/Nonce 0: signed by 0x/)).toBeVisible();
  const signed = await hotWallet.signFile(file);
  await maker.getByLabel("The signed file").setInputFiles({
    name: "signed.json",
    mimeType: "application/json",
    buffer: signed,
  });
  await maker.getByRole("button", { name: "Compare and keep" }).click();
  await expect(maker.getByText("Signed, waits for a colleague")).toBeVisible();
  const checker = await (await browser.newContext({ baseURL: product.url })).newPage();
  await becomeOperator(checker);
  await checker.goto(batch);
  await checker.getByRole("button", { name: "Order the broadcast" }).click();
  await mailTo(email, /97.000001 USDT is on its way to you/);
  const nodes = { bitcoin: null, ethereum: ethereum.node };
  const follow = (finality: 1 | "finalized", node = ethereum.node) =>
    followBatches(db, { nodes: { ...nodes, ethereum: node }, network: "regtest", finality }, now);
  // While nobody answers, the page of the batch says so, and since when. The worker's own look may come between.
  const gone = new EthereumNode("http://127.0.0.1:1");
  await expect(async () => {
    await expect(follow(1, gone)).rejects.toThrow("cannot be reached");
    await maker.goto(batch);
    await expect(maker.getByText("Cannot be reached", { exact: true })).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await expect(maker.getByText(/the batch cannot be followed/)).toBeVisible();
  // The token announces one less than it was told: two people look at it, and nothing ends by itself.
  const honest = await mineWithLyingToken(ethereum, 1_000_000n);
  await follow(1);
  await maker.goto("/operator/withdrawals?state=leaving");
  await expect(maker.getByText("Look at it")).toBeVisible();
  await maker.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(maker.getByText(/^The token announced 96.000001 USDT to 0x/)).toBeVisible();
  const odd = new URL(maker.url()).pathname;
  await expectSound(maker, odd);
  await maker.getByLabel("What you found").fill("96 of 97 arrived");
  await maker.getByRole("button", { name: "It comes back" }).click();
  await expect(maker.getByText("Proposed. A colleague confirms it")).toBeVisible();
  await expect(maker.getByRole("button", { name: "Confirm" })).toHaveCount(0);
  await checker.goto(odd);
  await expect(checker.getByText("96 of 97 arrived")).toBeVisible();
  await expect(checker.getByRole("button", { name: "Confirm" })).toBeVisible();
  await checker.getByRole("button", { name: "Decline" }).click();
  await expect(checker.getByText("Nothing happened to the payment")).toBeVisible();
  // The chain leaves that block, and the same transaction pays in another one.
  await ethereum.reorganise(1);
  await ethereum.call("anvil_setCode", [ethereum.usdt, honest]);
  await follow(1);
  await ethereum.mine();
  await ethereum.finalize();
  // Not before the worker, which reads the chain for deposits, has left that block, too.
  await expect(() => follow("finalized")).toPass();
  await mailTo(email, /97.000001 USDT has arrived/);
  expect(await balanceOf(ethereum.node, ethereum.usdt, to)).toBe(97_000_001n);
  await customer.goto(details);
  await expect(customer.getByText("Confirmed on chain").first()).toBeVisible();
  // The statement, to the atom: 250.000001 came in, 100.000001 went out, of which 3 are the fee.
  await customer.goto("/account/transactions");
  await expect(customer.getByRole("row").filter({ hasText: "Withdrawal sent" })).toBeVisible();
  const [{ balances }] = (
    await db.$client.query(
      `select jsonb_object_agg(account, balance::text) as balances from ledger_accounts where owner_id = $1 and asset = 'USDT'`,
      [rows[0].id],
    )
  ).rows;
  expect(balances).toEqual({ available: "150000000", held: "0" });
  for (const path of [details, "/operator/withdrawals/batches", batch]) {
    await expectSound(path === details ? customer : checker, path);
  }
  await maker.context().close();
  await checker.context().close();
});
