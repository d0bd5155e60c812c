import { expect, test } from "vitest";
import { retryCustomers } from "#server/mining/days/retry-customers.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const badge = />Contracts<span[^>]*>1/;

test("staff see who is set apart and why, and have it tried again by an act", async () => {
  const treasurer = await createTestOperator(db, { role: "treasurer" });
  const auditor = await createTestOperator(db, { role: "auditor" });
  const cookies = {
    treasurer: await signInAs(product, treasurer),
    auditor: await signInAs(product, auditor),
  };
  const read = async (path: string, who: keyof typeof cookies) =>
    (await product.request(path, { cookie: cookies[who] })).text();
  const day = dayAfter(app.now().toISOString().slice(0, 10), -1);
  const site = await createMiningSite(db, { firstDay: day });
  const customer = await site.customer();
  await owner.query(`
    create function fail_for_all() returns trigger language plpgsql as $$
    begin raise exception 'This customer cannot be posted.'; end $$;
    create trigger all_fail before insert on mining_customer_days for each row execute function fail_for_all()`);
  expect(await site.run(day, 1_000n, 1_000n, app.now())).toEqual({ posted: true });
  const page = "/operator/mining/contracts";
  const html = await read(page, "treasurer");
  expect(html).toContain("This customer cannot be posted.");
  expect(html).toContain("Try again now");
  // In the navigation, too.
  expect(html).toMatch(badge);
  expect(await read(page, "auditor")).not.toContain("Try again now");
  expect(await read(`/operator/mining/${day}`, "auditor")).toContain(
    "Reserved for customers who are set apart",
  );
  const form = { customerId: customer.id };
  const refused = await product.request(page, { cookie: cookies.auditor, form });
  expect(refused.status).toBe(403);
  await owner.query("drop trigger all_fail on mining_customer_days");
  const answer = await product.request(page, { cookie: cookies.treasurer, form });
  expect(answer.status).toBe(302);
  const { rows } = await owner.query(
    "select subject from audit_log where act = 'mining/retry-customer'",
  );
  expect(rows).toEqual([{ subject: `customer:${customer.id}` }]);
  await retryCustomers(db, app.now());
  expect(await read(page, "treasurer")).not.toMatch(badge);
  expect(await customer.balance()).toBe(970n);
});
