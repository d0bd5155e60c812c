import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { letWithdraw, someAddress } from "#tests/factories/withdrawal.ts";
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
  await letWithdraw(db, customer.id, {
    units: 1_000_000n,
    address: someAddress(),
    now: app.now(),
  });
  return { id: customer.id, cookie };
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
