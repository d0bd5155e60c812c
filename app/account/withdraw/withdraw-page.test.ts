import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  createBitcoinPrice,
  createUnsentBatch,
  letWithdraw,
  someAddress,
} from "#tests/factories/withdrawal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const path = "/account/withdraw?coin=BTC";
const disabled = /<fieldset disabled=""[^>]*>[\s\S]*?Request withdrawal/;

/** Signed in before the second factor was set up, as its owner is. */
async function aWithdrawer() {
  const customer = await createTestCustomer(db);
  const cookie = await signInAs(product, customer);
  const { addressId } = await letWithdraw(db, customer.id, {
    units: 1_000_000n,
    address: someAddress(),
    now: app.now(),
  });
  return { id: customer.id, cookie, addressId };
}

test("without a second factor the form is seen, disabled, under what it needs, and the way there leads back", async () => {
  const ada = await createTestCustomer(db);
  const html = await (await product.request(path, { cookie: await signInAs(product, ada) })).text();
  expect(html).toMatch(disabled);
  expect(html.match(/: still to do/g)).toHaveLength(3);
  expect(html).toContain("authenticator?next=%2Faccount%2Fwithdraw%3Fcoin%3DBTC");
});

test("with everything in place the form is open, and nothing is listed", async () => {
  const { cookie } = await aWithdrawer();
  const html = await (await product.request(path, { cookie })).text();
  expect(html).toContain("Request withdrawal");
  expect(html).not.toMatch(disabled);
  expect(html).not.toContain("What a withdrawal needs");
});

test("while withdrawals are paused the page says until when, with the rest ticked off", async () => {
  const { cookie, ...cem } = await aWithdrawer();
  await owner.query(
    "insert into money_holds (id, user_id, reason, starts_at, ends_at) values (uuidv7(), $1, 'password-changed', now(), now() + interval '24 hours')",
    [cem.id],
  );
  const html = await (await product.request(path, { cookie })).text();
  expect(html).toMatch(disabled);
  expect(html).toContain("so withdrawals are paused until");
  expect(html.match(/: done/g)).toHaveLength(2);
});

const close = "/account/profile/close";

test("while a final payment leaves the account cannot be kept, and what comes later is told when it can be paid", async () => {
  const { cookie, id, addressId } = await aWithdrawer();
  const read = async (page: string) => (await product.request(page, { cookie })).text();
  await product.request(close, { cookie, form: { password: testPassword } });
  const asked = { customer: { id, addressId }, isFinal: true, amount: "all" as const };
  await createUnsentBatch(db, { ...asked, operator: await createTestOperator(db) });
  for (const _ of ["before", "after it was tried"]) {
    const page = await read(close);
    expect(page).toContain("is being sent. You can keep the account once it has arrived.");
    expect(page).not.toContain("Keep the account");
    await product.request(close, { cookie, form: { intent: "take-back" } });
  }
  expect(await read(close)).toContain("Being sent");
  await creditTestDeposit(db, id, 200_000n);
  const page = await read(path);
  expect(page).toContain("You have requested your final payment of bitcoin");
  expect(page).toContain("Request withdrawal");
  await owner.query(
    `begin; alter table withdrawals disable trigger user;
     update withdrawals set state = 'settled', ended_at = now(), broadcast_at = now(), end_transfer_id = request_transfer_id
      where customer_id = '${id}';
     alter table withdrawals enable trigger user; commit`,
  );
  expect(await read(path)).toContain("You have had your final payment of bitcoin");
});

test("who cancels what is in a batch by now reads so, on the page as it is now", async () => {
  const { cookie, id, addressId } = await aWithdrawer();
  const operator = await createTestOperator(db);
  const asked = { customer: { id, addressId }, operator, vout: 1 };
  const { withdrawalId } = await createUnsentBatch(db, asked);
  const answer = await product.request(`/account/withdraw/${withdrawalId}`, { cookie, form: {} });
  expect(answer.status).toBe(409);
  const html = await answer.text();
  expect(html).toContain("It is already in a batch, so you can no longer cancel it.");
  expect(html).not.toContain("Cancel this withdrawal");
});

test("whoever keeps the account is told that the final payment is cancelled, and staff see that it was", async () => {
  const { cookie, id, addressId } = await aWithdrawer();
  await createBitcoinPrice(db, new Date(Date.now() - 1_000));
  await product.request(close, { cookie, form: { password: testPassword } });
  const read = async () => (await product.request(close, { cookie })).text();
  const told = "we cancel the final payments that you have requested";
  expect(await read()).not.toContain(told);
  const final = { intent: "request", coin: "BTC", final: "yes", addressId };
  await product.request(path, { cookie, form: { ...final, requestKey: randomUUID() } });
  expect(await read()).toContain(told);
  await product.request(close, { cookie, form: { intent: "take-back" } });
  const { rows } = await owner.query("select id, state from withdrawals where customer_id = $1", [
    id,
  ]);
  expect(rows).toMatchObject([{ state: "cancelled" }]);
  const staff = await signInAs(product, await createTestOperator(db));
  const kept = await product.request(`/operator/withdrawals/${rows[0].id}`, { cookie: staff });
  expect(await kept.text()).toContain("Final payment, and the customer kept the account");
});

test("who asks for what another tab has asked for reads so, although nothing is left to fill in", async () => {
  const { cookie, addressId } = await aWithdrawer();
  const send = () => {
    const form = { intent: "request", coin: "BTC", amount: "0.01", addressId };
    return product.request(path, { cookie, form: { ...form, requestKey: randomUUID() } });
  };
  expect((await send()).status).toBe(302);
  const second = await send();
  expect(second.status).toBe(409);
  const html = await second.text();
  expect(html).toContain("Your available balance does not cover this amount.");
  expect(html).toContain("is available. Withdrawals you have requested are in the table below.");
});
