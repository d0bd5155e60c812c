import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ COINS: "BTC" });
const { db } = product;
const ada = await createTestCustomer(db);
const cookie = await signInAs(product, ada);
await creditTestDeposit(db, ada.id, 70_000n, { now: new Date("2026-03-09T10:00:00Z") });
await creditTestDeposit(db, ada.id, 80_000n, { now: new Date("2026-03-09T20:00:00Z") });
await creditTestDeposit(db, ada.id, 5_000_000n, {
  now: new Date("2026-03-11T10:00:00Z"),
  asset: "USDT",
});

const get = async (path: string) => product.request(path, { cookie });

test("entries are listed under the UTC day on which they happened", async () => {
  const html = await (await get("/account/transactions")).text();
  const days = [...html.matchAll(/scope="rowgroup"[^>]*>([^<]+)<!-- --> </g)].map(([, day]) => day);
  expect(days).toEqual(["11 Mar 2026", "9 Mar 2026"]);
  expect(html).toContain('href="/account/transactions/entries.csv"');
});

test("every coin that one ever had can be chosen, whatever the rows are of that are shown", async () => {
  const choices = async (query: string) => {
    const html = await (await get(`/account/transactions${query}`)).text();
    const [, select = ""] = /<select[^>]*name="coin"[^>]*>([\s\S]*?)<\/select>/.exec(html) ?? [];
    return [...select.matchAll(/value="(\w+)"/g)].map(([, coin]) => coin);
  };
  // The product of this test offers no coin but Bitcoin.
  expect(await choices("")).toEqual(["BTC", "USDT"]);
  expect(await choices("?until=2026-03-09")).toEqual(["BTC", "USDT"]);
});

test("what the filter finds is a file, and nothing else is in it", async () => {
  const html = await (await get("/account/transactions?coin=BTC&show=10")).text();
  expect(html).toContain('href="/account/transactions/entries.csv?coin=BTC"');
  const answer = await get("/account/transactions/entries.csv?coin=BTC&until=2026-03-09");
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const lines = (await answer.text()).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("0.00070000");
  expect(lines.join()).not.toContain("USDT");
});

test("another customer's file has none of it", async () => {
  const other = await signInAs(product, await createTestCustomer(db));
  const answer = await product.request("/account/transactions/entries.csv", { cookie: other });
  expect((await answer.text()).trim().split("\r\n")).toHaveLength(1);
});
