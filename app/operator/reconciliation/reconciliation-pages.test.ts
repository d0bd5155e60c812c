import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { confirmCount } from "#server/reconciliation/decide-count.ts";
import { readWallets } from "#server/reconciliation/read-wallets.ts";
import { openTestWallet } from "#tests/factories/chain.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner } = product;
const tessa = await createTestOperator(db, { role: "treasurer", firstName: "Tessa" });
const amir = await createTestOperator(db, { role: "approver", firstName: "Amir" });
const tessasCookie = await signInAs(product, tessa);
const amirsCookie = await signInAs(product, amir);
const ada = await createTestCustomer(db);
const adasCookie = await signInAs(product, ada);

async function read(path: string, cookie?: string) {
  const answer = await product.request(path, { ...(cookie && { cookie }) });
  return { answer, status: answer.status, text: (await answer.text()).replaceAll("<!-- -->", "") };
}

function aForm(fields: Record<string, string>, file?: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file) form.set("evidence", new File([new Uint8Array(file)], "wallet.png"));
  return form;
}

test("a count that is short stops sales where everybody reads it; a refused form keeps all; an explanation is one", async () => {
  const moment = new Date(Date.now() - 60_000);
  await creditTestDeposit(db, ada.id, 100_000_000n, { now: new Date(moment.getTime() - 60_000) });
  expect((await read("/plans")).text).toContain("have not been counted yet");
  const fields = {
    submissionKey: randomUUID(),
    coin: "BTC",
    amount: "-1",
    block: "",
    wallets: "Cold wallet",
    asOf: moment.toISOString().slice(0, 19),
  };
  const enter = (form: FormData) =>
    product.request("/operator/reconciliation/new", { cookie: tessasCookie, form });
  const refused = await enter(
    aForm({ ...fields, asOf: "2020-01-01T10:00" }, await uniquePicture()),
  );
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html).toContain("An amount with no more decimals than the coin has");
  expect(html).toContain("wallet.jpg");
  const evidenceId = /name="evidenceId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const old = await enter(
    aForm({ ...fields, amount: "0.99999999", asOf: "2020-01-01T10:00", evidenceId }),
  );
  expect(await old.text()).toContain("A moment of the last seven days");
  const right = aForm({ ...fields, amount: "0.99999999", evidenceId });
  const entered = await enter(right);
  expect(entered.status).toBe(302);
  const path = entered.headers.get("location") ?? "";
  // Sent twice, it is one.
  expect((await enter(right)).headers.get("location")).toBe(path);
  expect((await read(path, amirsCookie)).text).toContain("Less than the ledger says");
  const countId = path.split("/").at(-1) ?? "";
  const decide = (cookie: string, intent: string) =>
    product.request(path, { cookie, form: aForm({ intent, reason: "" }) });
  expect((await decide(amirsCookie, "reject")).status).toBe(400);
  await confirmCount(db, amir, countId, new Date());
  expect((await decide(amirsCookie, "reject")).status).toBe(400);

  expect((await read("/account/mining/buy", adasCookie)).text).toContain("Sales are paused");
  const { rows } = await owner.query("select id from custody_holdings");
  const explain = (words: string) =>
    product.request("/operator/reconciliation", {
      cookie: tessasCookie,
      form: aForm({ intent: "explain", holdingId: rows[0].id, words }),
    });
  const empty = await explain("  ");
  expect(empty.status).toBe(400);
  expect(await empty.text()).toContain("Write the reason");
  expect((await explain("A fee that was not booked")).status).toBe(302);
  expect((await explain("Another reason")).status).toBe(409);
  const overview = (await read("/operator/reconciliation", amirsCookie)).text;
  expect(overview).toContain("No contract is sold");
  expect(overview).toContain("99.99 %");
  expect(overview).toContain("A fee that was not booked");
});

test("a statement's file is its customer's own, of a period that has begun, in three formats", async () => {
  const thisYear = `period=year:${new Date().getUTCFullYear()}`;
  const file = (format: string, params = thisYear, cookie = adasCookie) =>
    read(`/account/transactions/statement.${format}?${params}`, cookie);
  const json = await file("json");
  expect(json.answer.headers.get("cache-control")).toBe("private, no-store");
  expect(JSON.parse(json.text)).toMatchObject({ account: ada.id, entryCount: 1 });
  expect((await file("csv")).text.split("\r\n")).toHaveLength(3);
  expect((await file("pdf")).answer.headers.get("content-type")).toBe("application/pdf");
  const bob = await createTestCustomer(db);
  const bobs = await file("json", thisYear, await signInAs(product, bob));
  expect(JSON.parse(bobs.text)).toMatchObject({ account: bob.id, entryCount: 0 });
  for (const params of [
    "period=",
    "period=year:2099",
    "period=month:2026-13",
    `${thisYear}&startMonth=2&startDay=30`,
  ]) {
    expect((await file("json", params)).status).toBe(404);
  }
  expect((await file("exe")).status).toBe(404);
  expect((await read("/verify-statement?code=%00")).status).toBe(200);
});

test("what the node read fills a count, is read again when staff ask, and what moved since the count is listed", async () => {
  const key = await openTestWallet(db, await createTestOperator(db));
  const blockhash = "0".repeat(64);
  const unspents = [{ amount: 70_000_000n }];
  const node = { scanTxOutSet: async () => ({ height: 812, bestblock: blockhash, unspents }) };
  const wallets = { node, network: key.network } as never;
  await readWallets(db, wallets, () => new Date(Date.now() - 5000));
  unspents.push({ amount: 1n });
  await readWallets(db, wallets, () => new Date());
  const overview = () => read("/operator/reconciliation", tessasCookie);
  // Once a day, unless somebody asks: then a job does it.
  expect((await overview()).text).toContain("0.7");
  const again = await product.request("/operator/reconciliation", {
    cookie: tessasCookie,
    form: aForm({ intent: "read-again" }),
  });
  expect(again.status).toBe(302);
  const { rows } = await owner.query(
    "select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'reconciliation/read-wallets-again'",
  );
  expect(rows).toEqual([{ waiting: 1 }]);
  await readWallets(db, { ...(wallets as object), again: true } as never, () => new Date());
  const { text } = await read("/operator/reconciliation/new?from=node", tessasCookie);
  expect(text).toContain('value="0.70000001"');
  expect(text).toContain('value="812"');
  await creditTestDeposit(db, ada.id, 12_345n, { now: new Date() });
  const moved = (await overview()).text;
  expect(moved).toContain("Moved since the last count");
  expect(moved).toContain("missing");
});
