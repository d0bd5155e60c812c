import { expect, test } from "vitest";
import { addDays, formatDay, utcDay } from "#core/utc-day.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const cookie = await signInAs(product, await createTestOperator(product.db));

test("staff read of a clock that stands still which day it waits for, and its customer why", async () => {
  const { app, db } = product;
  const firstDay = addDays(utcDay(app.now()), -3);
  const site = await createMiningSite(db, { firstDay });
  const customer = await createTestCustomer(db);
  const { contractId } = await site.customer({ customerId: customer.id });
  await site.run(firstDay, 0n, 1_000n);
  const waitsFor = addDays(firstDay, 1);
  const read = async (path: string, by = cookie) =>
    (await (await product.request(path, { cookie: by })).text()).replaceAll(
      /<!-- -->|<\/?time[^>]*>/g,
      "",
    );
  for (const page of ["mining/contracts", `customers/${customer.id}/contracts`]) {
    expect(await read(`/operator/${page}`)).toContain(`Stands still until ${waitsFor} is posted`);
  }
  expect(await read("/operator/mining")).toContain(`1 clock is paused until ${waitsFor} is posted`);
  expect(await read(`/operator/mining/${waitsFor}`)).toMatch(
    /1 clock of unpaid maintenance<\/a> is paused until this day is posted/,
  );
  expect(await read(`/operator/mining/${addDays(waitsFor, 1)}`)).not.toContain("stands still");
  const own = await read(`/account/mining/${contractId}`, await signInAs(product, customer));
  // It ran 22 hours, from two o'clock on.
  expect(own).toContain("The timer is paused, with 50 h 0 min left");
  expect(own).toContain(`we have not settled ${formatDay(waitsFor)} yet`);
});
