import { expect, test } from "vitest";
import { offerTestPlan } from "#tests/factories/contract.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db } = product.app;
await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
const { slug } = await offerTestPlan(db);
await createTestPrice(db, {
  asset: "BTC",
  usdE8: 9_123_450_000_000n,
  observedAt: new Date(Date.now() - 1_000),
});
await product.owner.query(
  `insert into network_figures (observed_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
     fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
   values (now() - interval '1 minute', 'mempool.example', false, 900000, 150000000000000, 1e21, 312500000, 2000000, 3, 2, 1)`,
);
const read = async (query: string) => (await product.request(`/calculator?${query}`)).text();
const fieldOf = (html: string, name: string) =>
  new RegExp(`<input\\b[^>]*\\sname="${name}"[^>]*>`).exec(html)?.[0] ?? "";

test("the form begins with today's figures, and sent as they are they stay the observed ones", async () => {
  const html = await read(`plan=${slug}`);
  expect(html).toContain("mempool.example");
  expect(fieldOf(html, "price")).toContain('value="91234.50"');
  expect(fieldOf(html, "difficulty")).toContain('value="150.00"');
  expect(fieldOf(html, "fees")).toContain('value="0.02000000"');
  const sent = await read(`plan=${slug}&price=91234.50&difficulty=150.00&fees=0.02000000`);
  expect(sent).not.toContain("From the form");
  expect(await read(`plan=${slug}&price=50000`)).toContain("From the form");
});

test("sliders are fields of the form, each where the address put it", async () => {
  const html = await read(`plan=${slug}&quantity=7&growth=3&change=-50`);
  expect(fieldOf(html, "quantity")).toMatch(/type="range".*value="7"/);
  expect(fieldOf(html, "growth")).toMatch(/type="range".*aria-valuetext="\+3.%".*value="3"/);
  expect(fieldOf(html, "change")).toMatch(/type="range".*aria-valuetext="−50.%".*value="-50"/);
});

test("the result comes with the same money in bitcoin, and a chart whose values can be read", async () => {
  const html = await read(`plan=${slug}&change=100`);
  expect(html).toMatch(/Buying bitcoin instead:(?:<!-- -->)? <span[^>]*>\+\$/);
  expect(html).toContain("$0, break-even");
  expect(html).toMatch(/The same money in bitcoin: \$/);
});

test("a plan is shown by what it costs and what the network pays a day, and at sizes that can be judged", async () => {
  const page = await (await product.request("/plans")).text();
  expect(page).toContain("The network pays today");
  expect(page).toMatch(/at today&#x27;s figures/);
  for (const size of ["10 TH/s", "50 TH/s", "100 TH/s"]) {
    expect(page).toContain(`<th scope="row">${size}</th>`);
  }
});
