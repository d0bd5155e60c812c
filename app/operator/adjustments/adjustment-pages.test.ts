import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { listOwnMoney } from "#server/ledger/list-own-money.ts";
import { refusePayout } from "#server/payouts/refuse-payout.ts";
import { fundEquity, give, proposeGift, proposeOutlay } from "#tests/factories/adjustment.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, randomTxid, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestSubmission } from "#tests/factories/kyc.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const tessa = await createTestOperator(db, { role: "treasurer", firstName: "Tessa" });
const amir = await createTestOperator(db, { role: "approver", firstName: "Amir" });
const makersCookie = await signInAs(product, tessa);
const checkersCookie = await signInAs(product, amir);
const ada = await createTestCustomer(db);
const adasCookie = await signInAs(product, ada);
await fundEquity(app, { maker: tessa, checker: amir }, { units: 100_000n });

async function read(path: string, cookie: string) {
  const answer = await product.request(path, { cookie });
  return { status: answer.status, html: (await answer.text()).replaceAll("<!-- -->", "") };
}

async function gift(wanted: Record<string, string> = {}, file?: Uint8Array): Promise<FormData> {
  const fields = {
    submissionKey: randomUUID(),
    kind: "goodwill",
    customer: ada.email,
    coin: "BTC",
    amount: "0.0001",
    reason: "The payout of Tuesday came late",
    note: "",
    ...wanted,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file) form.set("evidence", new File([new Uint8Array(file)], "ticket.png"));
  return form;
}

const proposals = async () => {
  const { rows } = await owner.query("select count(*)::int as count from adjustments");
  return rows[0].count;
};

test("a refused form keeps what was typed and the file, and is then proposed with that file", async () => {
  const before = await proposals();
  const wrong = await gift(
    { amount: "a lot", customer: "nobody@example.com" },
    await uniquePicture(),
  );
  const refused = await product.request("/operator/adjustments/new", {
    cookie: makersCookie,
    form: wrong,
  });
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html).toContain("An amount above zero");
  expect(html).toContain("ticket.jpg");
  expect(html).toContain("nobody@example.com");
  const evidenceId = /name="evidenceId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const unknown = await gift({ evidenceId, customer: "nobody@example.com" });
  const second = await product.request("/operator/adjustments/new", {
    cookie: makersCookie,
    form: unknown,
  });
  expect(await second.text()).toContain("No customer has this address or id.");
  expect(await proposals()).toBe(before);
  const form = await gift({ evidenceId });
  const done = await product.request("/operator/adjustments/new", { cookie: makersCookie, form });
  expect(done.status).toBe(302);
  const again = await product.request("/operator/adjustments/new", { cookie: makersCookie, form });
  expect(again.headers.get("location")).toBe(done.headers.get("location"));
  expect(await proposals()).toBe(before + 1);
});

test("a gift without evidence, or with a file that is none, is not proposed", async () => {
  const before = await proposals();
  const bare = await product.request("/operator/adjustments/new", {
    cookie: makersCookie,
    form: await gift(),
  });
  expect(await bare.text()).toContain("Choose a picture or a PDF that shows why.");
  const text = new TextEncoder().encode("just words");
  const wrong = await product.request("/operator/adjustments/new", {
    cookie: makersCookie,
    form: await gift({}, text),
  });
  expect(await wrong.text()).toContain("This is not a JPEG, PNG, WebP, HEIC or PDF file.");
  expect(await proposals()).toBe(before);
});

test("the maker is offered to take it back, the checker to decide; and who comes second sees what was decided", async () => {
  const id = await proposeGift(app, tessa, ada.id, { units: 1_000n });
  const path = `/operator/adjustments/${id}`;
  const own = (await read(path, makersCookie)).html;
  expect(own).toContain("Cancel proposal");
  expect(own).not.toContain('value="approve"');
  expect((await read("/operator/adjustments", checkersCookie)).html).toContain(path);
  const other = (await read(path, checkersCookie)).html;
  expect(other).toContain('value="approve"');
  const form = { intent: "approve" };
  expect((await product.request(path, { cookie: checkersCookie, form })).status).toBe(302);
  expect((await product.request(path, { cookie: checkersCookie, form })).status).toBe(302);
  const withdraw = { intent: "withdraw" };
  const late = await product.request(path, { cookie: makersCookie, form: withdraw });
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("This is decided already");
});

test("a customer reads what it is and why: in the transactions, and in the evidence of the figure", async () => {
  const reason = `For ${randomUUID()}`;
  const gave = { units: 2_000n, kind: "subsidy" as const, reason };
  const id = await give(app, { maker: tessa, checker: amir }, ada.id, gave);
  const { rows } = await owner.query("select transfer_id from adjustments where id = $1", [id]);
  const statement = await read("/account/transactions", adasCookie);
  expect(statement.html).toContain("Subsidy from the operator");
  expect(statement.html).toContain(reason);
  const evidence = (await read(`/account/evidence/${rows[0].transfer_id}`, adasCookie)).html;
  expect(evidence).toContain("carry a part of what something costs you");
  expect(evidence).toContain(reason);
  for (const staff of [tessa, amir]) expect(evidence).not.toContain(staff.firstName);
  const bob = await signInAs(product, await createTestCustomer(db));
  expect((await read(`/account/evidence/${rows[0].transfer_id}`, bob)).status).toBe(404);
});

test("a gift that the own money does not cover is refused, and says what to do", async () => {
  const id = await proposeGift(app, tessa, ada.id, { units: 1n, asset: "USDT" });
  const path = `/operator/adjustments/${id}`;
  expect((await read(path, checkersCookie)).html).toContain("not enough own money");
  const answer = await product.request(path, {
    cookie: checkersCookie,
    form: { intent: "approve" },
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Nothing was posted.");
});

test("who decides reads the own money that is left, as its statement says it", async () => {
  const drawing = { kind: "equity-drawing" as const, units: 3_000n, txid: randomTxid("Bitcoin") };
  await approveAdjustment(db, amir, await proposeOutlay(app, tessa, drawing), new Date());
  const left = (await listOwnMoney(db)).find(({ asset }) => asset === "BTC")?.units ?? 0n;
  const next = { ...drawing, units: 2_000n, txid: randomTxid("Bitcoin") };
  const id = await proposeOutlay(app, tessa, { ...next, feeUnits: 500n });
  const { html } = await read(`/operator/adjustments/${id}`, checkersCookie);
  expect(html).toContain(`value="${left}"`);
  expect(html).toContain(`value="${left - 2_500n}"`);
  const statement = await read("/operator/adjustments/own-money", checkersCookie);
  for (const units of [left, -3_000n, -1_000n]) {
    expect(statement.html).toContain(`value="${units}"`);
  }
});

test("a flag about a customer stands where somebody decides about him, and on his page", async () => {
  const form = { intent: "raise", kind: "ask-an-owner-first", days: "7", reason: "Odd story" };
  const notes = `/operator/customers/${ada.id}/notes`;
  expect((await product.request(notes, { cookie: checkersCookie, form })).status).toBe(302);
  const again = await product.request(notes, { cookie: checkersCookie, form });
  expect(await again.text()).toContain("This flag is raised already");
  const id = await proposeGift(app, tessa, ada.id, { units: 1n });
  await createTestDeposit(app, { customerId: ada.id });
  await createTestSubmission(app, ada.id);
  await createTestThread(db, { customerId: ada.id, email: ada.email });
  const ownersCookie = await signInAs(product, await createTestOperator(db, { role: "owner" }));
  const queues = ["/operator/deposits", "/operator/customers", "/operator/messages"];
  const cases = [`/operator/adjustments/${id}`, `/operator/customers/${ada.id}`];
  for (const path of [...cases, ...queues, "/operator/adjustments", "/operator/verification"]) {
    expect((await read(path, ownersCookie)).html, path).toContain("Ask an owner before you decide");
  }
  expect((await read("/account/dashboard", adasCookie)).html).not.toContain("Odd story");
});

test("own money that was entered as a pool's payout, and refused as one, says so to who decides", async () => {
  const poolId = await createTestPool(db, amir);
  const txid = randomUUID().replaceAll("-", "").repeat(2);
  const payout = { poolId, day: "2026-11-20", units: 200_000_000n, txid };
  const payoutId = await createTestPayout(db, tessa, payout);
  await refusePayout(db, amir, { payoutId, reason: "Not of this pool" }, new Date());
  const id = await fundEquity(app, { maker: tessa, checker: amir }, { units: 5n, txid });
  const { html } = await read(`/operator/adjustments/${id}`, checkersCookie);
  expect(html).toContain(`href="/operator/payouts/${payoutId}"`);
  expect(html).toContain("a payout of a pool, which was refused");
});
