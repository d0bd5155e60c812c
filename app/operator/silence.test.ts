import { expect, test } from "vitest";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
const { owner, db } = product;
const cookie = await signInAs(product, await createTestOperator(db));

async function read(path: string): Promise<string> {
  const answer = await product.request(path, { cookie });
  const text = await answer.text();
  return text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

async function askedAgo(ago: string): Promise<void> {
  await owner.query(
    `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', now() - interval '2 days', now() - $1::interval)
     on conflict (chain) do update set asked_at = excluded.asked_at`,
    [ago],
  );
  await owner.query(
    `insert into market_assets (asset, asked_at, answered, agreed, trouble, since)
     values ('BTC', now() - $1::interval, 2, 0, 'sources-disagree', now() - interval '2 days')
     on conflict (asset) do update set asked_at = excluded.asked_at`,
    [ago],
  );
  await owner.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('chain/watch', now() - interval '2 days', now() - $1::interval)
     on conflict (identifier) do update set last_execution = excluded.last_execution`,
    [ago],
  );
}

test("what was asked a moment ago is shown as it is", async () => {
  await askedAgo("20 seconds");
  expect(await read("/operator/chain")).toContain("Follows the chain");
  expect(await read("/operator")).toMatch(
    /Nothing is late.*Worker seen 2\d s ago.*Bitcoin asked 2\d s ago/,
  );
  expect(await read("/operator/jobs")).toMatch(/Nothing was given up\./);
  expect(await read("/operator/markets")).toContain("The sources disagree");
  expect(await read("/operator/markets")).not.toContain("No worker is running");
});

test("a day without a worker is said on every page of the console, and nothing looks healthy", async () => {
  await askedAgo("1 day");
  const chain = await read("/operator/chain");
  expect(chain).not.toContain("Follows the chain");
  expect(chain).toContain("Not asked any more");
  const jobs = await read("/operator/jobs");
  expect(jobs).toContain("nothing is tried: no worker runs");
  expect(await read("/operator/markets")).not.toContain("The sources disagree");
  const today = await read("/operator");
  expect(today).toContain("Bitcoin: we no longer ask the node 1 day ago");
  expect(today).not.toContain("Bitcoin asked");
  expect(today).not.toContain("Worker seen");
  for (const path of ["/operator/staff", "/operator/customers", "/operator/mail"]) {
    expect(await read(path), path).toContain("No worker is running The last one was seen on");
  }
});

test("customers do not read that exchanges disagree whom nobody has asked", async () => {
  await askedAgo("1 day");
  const prices = await read("/prices");
  expect(prices).toContain("We have not asked the exchanges for some minutes");
  expect(prices).not.toContain("disagree");
});
