import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { contractState } from "#core/mining/contract-state.ts";
import { firstDay } from "#core/mining/first-day.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import {
  acceptedTerms,
  buyTestContract,
  createTestBuyer,
  offerTestPlan,
} from "#tests/factories/contract.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { actOnServer } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { buyContract } from "./buy-contract.ts";
import { findCapacity } from "./find-capacity.ts";
import { findContract, listContracts } from "./find-contract.ts";
import { findQuote } from "./find-quote.ts";
import { findSharedReceipt } from "./find-receipt-link.ts";
import { giveBackContract } from "./give-back-contract.ts";
import { findOfferedPlan, findOfferedVersion } from "./list-offered-plans.ts";
import { quoteContract } from "./quote-contract.ts";
import { shareReceipt, unshareReceipt } from "./share-receipt.ts";
import { sweepQuotes } from "./sweep-quotes.ts";

const { db, owner } = await testDatabase();
/** Each test has a day of its own, at noon, on which exchanges agree on a price: the newest price is the one that counts. */
let day = "2026-02-01";
async function dayOfTest(): Promise<Date> {
  day = addDays(day, 1);
  const noon = new Date(`${day}T12:00:00Z`);
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: noon });
  return noon;
}
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
/** $100,000 for a bitcoin: 1 TH/s for 30 days, $15, is 15,000 satoshi. */
const usdE8 = 10_000_000_000_000n;

beforeAll(async () => {
  await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
});

async function quoted(wanted: {
  customerId: string;
  planVersionId: string;
  quantity?: number;
  orderId?: string;
  now: Date;
}) {
  const { quantity = 1, now, ...wish } = wanted;
  return quoteContract(db, { ...wish, quantity, coin: "BTC" }, now);
}

test("a quote is the plan's dollars at the fresh price, rounded up to the satoshi", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const at = later(noon, 60_000);
  await createTestPrice(db, { asset: "BTC", usdE8: 7_000_000_000_001n, observedAt: at });
  const quote = await quoted({ customerId: buyer.id, planVersionId, quantity: 3, now: at });
  expect(quote).toMatchObject({ quantity: 3, usdCents: 4_500n, coin: "BTC", contractId: null });
  // $45 at $70,000.00000001 are 64,285.71… satoshi.
  expect(quote.units).toBe(64_286n);
  expect(quote.expiresAt.getTime() - quote.quotedAt.getTime()).toBe(30_000);
  const { rows } = await owner.query(
    "select p.pinned from market_prices p join contract_quotes q on q.price_id = p.id where q.id = $1",
    [quote.quoteId],
  );
  expect(rows).toEqual([{ pinned: true }]);
});

test("nobody is quoted who did not say where he lives, lives in the United States, or is frozen", async () => {
  const noon = await dayOfTest();
  const { planVersionId } = await offerTestPlan(db);
  const nowhere = await createTestBuyer(db, { country: null });
  const wish = { planVersionId, quantity: 1, coin: "BTC" as const };
  await expect(quoteContract(db, { ...wish, customerId: nowhere.id }, noon)).rejects.toMatchObject({
    code: "kyc/residence-unknown",
  });
  await owner.query(
    "insert into residence_statements (id, customer_id, country, stated_at) values ($1, $2, 'US', now())",
    [randomUUID(), nowhere.id],
  );
  await expect(quoteContract(db, { ...wish, customerId: nowhere.id }, noon)).rejects.toMatchObject({
    code: "kyc/residence-refused",
  });
  const frozen = await createTestBuyer(db);
  await owner.query(
    "insert into account_freezes (id, user_id, by, reason, frozen_at) values ($1, $2, 'self', 'test', now())",
    [randomUUID(), frozen.id],
  );
  await expect(quoteContract(db, { ...wish, customerId: frozen.id }, noon)).rejects.toMatchObject({
    code: "identity/account-frozen",
  });
});

test("contracts that run at once cost no more together than the level of verification allows", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db, {
    priceUsdCents: 600_000n,
    machinesUsdCents: 600_000n,
    setupUsdCents: 0n,
    marginUsdCents: 0n,
  });
  const wish = { customerId: buyer.id, planVersionId, coin: "BTC" as const };
  await expect(quoteContract(db, { ...wish, quantity: 2 }, noon)).rejects.toMatchObject({
    code: "contracts/above-tier",
  });
  // Each of two quotes is within the limit, both together are not.
  const quotes = [
    await quoteContract(db, { ...wish, quantity: 1 }, noon),
    await quoteContract(db, { ...wish, quantity: 1 }, noon),
  ];
  const done = await Promise.allSettled(
    quotes.map(({ quoteId }) =>
      buyContract(db, { customerId: buyer.id, quoteId, ...acceptedTerms(noon) }, noon),
    ),
  );
  expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(done.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "contracts/above-tier" },
  });
});

test("a receipt has one link, which its owner alone makes and takes back", async () => {
  const noon = await dayOfTest();
  const [buyer, stranger] = await Promise.all([createTestBuyer(db), createTestBuyer(db)]);
  const { planVersionId } = await offerTestPlan(db);
  const bought = { customerId: buyer.id, planVersionId, now: noon };
  const { contractId } = await buyTestContract(db, bought);
  const which = { customerId: buyer.id, contractId, day: addDays(day, 3) };
  await expect(shareReceipt(db, { ...which, customerId: stranger.id }, noon)).rejects.toMatchObject(
    { code: "contracts/no-such-contract" },
  );
  const twice = await Promise.all([shareReceipt(db, which, noon), shareReceipt(db, which, noon)]);
  const token = twice[0]?.token ?? "";
  expect(twice[1]?.token).toBe(token);
  expect(await findSharedReceipt(db, token)).toEqual({ contractId, day: which.day });
  await expect(
    unshareReceipt(db, { ...which, customerId: stranger.id }, noon),
  ).rejects.toMatchObject({ code: "contracts/no-such-contract" });
  await unshareReceipt(db, which, later(noon, 1));
  await unshareReceipt(db, which, later(noon, 2));
  expect(await findSharedReceipt(db, token)).toBe("taken-back");
  expect(await findSharedReceipt(db, "__proto__")).toBeNull();
  const again = await shareReceipt(db, which, later(noon, 3));
  expect(again.token).not.toBe(token);
});

test("nobody's account closes over a contract that runs", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db, { sats: 15_000n });
  const { planVersionId } = await offerTestPlan(db);
  const { contractId } = await buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    now: noon,
  });
  const owed = async () =>
    (await owner.query("select something_is_owed($1) as owed", [buyer.id])).rows[0].owed;
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(0n);
  expect(await owed()).toBe(true);
  await giveBackContract(db, { customerId: buyer.id, contractId }, noon);
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(15_000n);
});

test.each([
  [{ quantity: 0 }, "contracts/too-many-units"],
  [{ quantity: -1 }, "contracts/too-many-units"],
  [{ quantity: 1.5 }, "contracts/too-many-units"],
  [{ quantity: Number.NaN }, "contracts/too-many-units"],
  [{ quantity: 101 }, "contracts/too-many-units"],
  [{ planVersionId: "constructor" }, "contracts/plan-not-offered"],
  [{ planVersionId: randomUUID() }, "contracts/plan-not-offered"],
  [{ coin: "USDT" as Coin }, "markets/price-too-old"],
  [{ coin: "__proto__" as Coin }, "contracts/no-such-coin"],
])("a wish that cannot be is refused: %o", async (tampered, code) => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const wish = { customerId: buyer.id, planVersionId, quantity: 1, coin: "BTC" as Coin };
  await expect(quoteContract(db, { ...wish, ...tampered }, noon)).rejects.toMatchObject({ code });
});

test("a purchase takes the coins and gives the hashrate, from the next UTC day or later", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db, { sats: 40_000n });
  const { planVersionId, slug } = await offerTestPlan(db);
  const before = await findOfferedPlan(db, slug, { now: noon });
  const { contractId } = await buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    quantity: 2,
    now: noon,
  });
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(10_000n);
  const contract = await findContract(db, buyer.id, contractId);
  expect(contract).toMatchObject({ ghs: 2_000n, units: 30_000n, ...acceptedTerms(noon) });
  expect(contract?.coolingOffUntil).toEqual(later(noon, 24 * 3_600_000));
  expect(contract?.startsOn).toBe(addDays(day, 2));
  expect(contract?.plannedLastDay).toBe(addDays(day, 31));
  const after = await findOfferedPlan(db, slug, { now: noon });
  expect(after?.freeGhs).toBe((before?.freeGhs ?? 0n) - 2_000n);

  const second = await buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    usdE8: usdE8 * 2n,
    now: later(noon, 1),
  });
  expect(await findContract(db, buyer.id, second.contractId)).toMatchObject({
    coolingOffUntil: null,
    startsOn: addDays(day, 1),
  });
});

test("a double click buys once", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const { quoteId } = await quoted({ customerId: buyer.id, planVersionId, now: noon });
  const purchase = { customerId: buyer.id, quoteId, ...acceptedTerms(noon) };
  const both = await Promise.all([
    buyContract(db, purchase, noon),
    buyContract(db, purchase, noon),
  ]);
  expect(both.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
  expect(new Set(both.map(({ contractId }) => contractId)).size).toBe(1);
  // The answer was lost, and the page is sent once more when the quote is long over.
  const again = await buyContract(db, purchase, later(noon, 3_600_000));
  expect(again).toEqual({ contractId: both[0]?.contractId, repeated: true });
  expect(await listContracts(db, buyer.id)).toHaveLength(1);
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n - 15_000n);
});

test("an order is bought once, however often its price was renewed", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const wish = { customerId: buyer.id, planVersionId, now: noon };
  const first = await quoted(wish);
  const { orderId } = first;
  const renewed = [await quoted({ ...wish, orderId }), await quoted({ ...wish, orderId })];
  const purchases = renewed.map(({ quoteId }) =>
    buyContract(db, { customerId: buyer.id, quoteId, ...acceptedTerms(noon) }, noon),
  );
  const [one, other] = await Promise.all(purchases);
  expect(one?.contractId).toBe(other?.contractId);
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n - 15_000n);
  const { contractId } = (await findQuote(db, buyer.id, first.quoteId)) ?? {};
  expect(contractId).toBe(one?.contractId);
  expect(await listContracts(db, buyer.id)).toHaveLength(1);
});

test("of two tabs that buy the last hashrate at once exactly one does", async () => {
  const noon = await dayOfTest();
  const { planVersionId } = await offerTestPlan(db, { offeredGhs: 5_000n });
  const buyers = await Promise.all([createTestBuyer(db), createTestBuyer(db)]);
  const purchases = await Promise.all(
    buyers.map(async ({ id }) => {
      const { quoteId } = await quoted({ customerId: id, planVersionId, quantity: 4, now: noon });
      return { customerId: id, quoteId, ...acceptedTerms(noon) };
    }),
  );
  const done = await Promise.allSettled(purchases.map((each) => buyContract(db, each, noon)));
  expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(done.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "contracts/not-enough-hashrate" },
  });
  const balances = await Promise.all(buyers.map(({ id }) => getBalances(db, id)));
  expect(new Set(balances.map(({ BTC }) => BTC.available))).toEqual(
    new Set([99_940_000n, 100_000_000n]),
  );
});

test("the fleet's last hashrate is sold once, also in one customer's two tabs", async () => {
  const noon = await dayOfTest();
  const far = new Date("2030-01-01T12:00:00Z");
  const { planVersionId } = await offerTestPlan(db, { unitGhs: 600_000n, now: noon });
  const buyer = await createTestBuyer(db);
  const quotes = await Promise.all([
    quoted({ customerId: buyer.id, planVersionId, now: noon }),
    quoted({ customerId: buyer.id, planVersionId, now: noon }),
  ]);
  const done = await Promise.allSettled(
    quotes.map(({ quoteId }) =>
      buyContract(db, { customerId: buyer.id, quoteId, ...acceptedTerms(noon) }, noon),
    ),
  );
  expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [contract] = await listContracts(db, buyer.id);
  expect((await findOfferedVersion(db, planVersionId, { now: noon }))?.freeUnits).toBe(0);
  await giveBackContract(
    db,
    { customerId: buyer.id, contractId: contract?.contractId ?? "" },
    later(noon, 1_000),
  );
  expect((await findOfferedVersion(db, planVersionId, { now: noon }))?.freeUnits).toBe(1);
  expect((await findOfferedVersion(db, planVersionId, { now: far }))?.freeUnits).toBe(1);
});

test("what was shown with another first day is not bought: neither after midnight, nor after another contract", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const buy = async (startsOn: string, at: Date) => {
    const { quoteId } = await quoted({ customerId: buyer.id, planVersionId, now: at });
    return buyContract(db, { customerId: buyer.id, quoteId, startsOn, ...acceptedTerms(at) }, at);
  };
  const refused = { code: "contracts/first-day-changed" };
  await expect(buy(firstDay(later(noon, -86_400_000), true), noon)).rejects.toMatchObject(refused);
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n);
  await buy(firstDay(noon, true), noon);
  await expect(buy(firstDay(noon, true), noon)).rejects.toMatchObject(refused);
  await buy(firstDay(noon, false), noon);
});

test("an expired quote, another's quote and one that never was take nothing", async () => {
  const noon = await dayOfTest();
  const [buyer, stranger] = await Promise.all([createTestBuyer(db), createTestBuyer(db)]);
  const { planVersionId } = await offerTestPlan(db);
  const { quoteId, expiresAt } = await quoted({ customerId: buyer.id, planVersionId, now: noon });
  const accepted = acceptedTerms(noon);
  const refuse = (purchase: { customerId: string; quoteId: string }, at: Date) =>
    expect(buyContract(db, { ...purchase, ...accepted }, at)).rejects;
  await refuse({ customerId: buyer.id, quoteId }, later(expiresAt, 1)).toMatchObject({
    code: "contracts/quote-expired",
  });
  for (const id of [quoteId, randomUUID(), "__proto__", ""]) {
    await refuse({ customerId: stranger.id, quoteId: id }, noon).toMatchObject({
      code: "contracts/no-such-quote",
    });
  }
  expect(await findQuote(db, stranger.id, quoteId)).toBeNull();
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n);
  // To the last millisecond it stands.
  await buyContract(db, { customerId: buyer.id, quoteId, ...accepted }, expiresAt);
});

test("terms that are not the ones in force are not accepted", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const { quoteId } = await quoted({ customerId: buyer.id, planVersionId, now: noon });
  const accepted = acceptedTerms(noon);
  for (const tampered of [
    { ...accepted, termsVersion: "9.9" },
    { ...accepted, termsSha256: "00".repeat(32) },
    { ...accepted, termsVersion: "toString" },
  ]) {
    const purchase = { customerId: buyer.id, quoteId, ...tampered };
    await expect(buyContract(db, purchase, noon)).rejects.toMatchObject({
      code: "contracts/terms-changed",
    });
  }
});

test("a balance that does not suffice, and a plan that was taken off, leave everything as it was", async () => {
  const noon = await dayOfTest();
  const poor = await createTestBuyer(db, { sats: 14_999n });
  const { planVersionId } = await offerTestPlan(db);
  const { quoteId } = await quoted({ customerId: poor.id, planVersionId, now: noon });
  const purchase = { customerId: poor.id, quoteId, ...acceptedTerms(noon) };
  await expect(buyContract(db, purchase, noon)).rejects.toMatchObject({
    code: "ledger/insufficient-balance",
  });
  expect(await listContracts(db, poor.id)).toEqual([]);
  expect((await getBalances(db, poor.id)).BTC.available).toBe(14_999n);

  const { rows } = await owner.query("select id from audit_log where subject = $1", [
    `plan-version:${planVersionId}`,
  ]);
  await owner.query("alter table plan_versions disable trigger staff_publish_and_retire_plans");
  await owner.query(
    "update plan_versions set state = 'retired', retired_at = now(), retired_action_id = $2 where id = $1",
    [planVersionId, rows[0].id],
  );
  await owner.query("alter table plan_versions enable trigger staff_publish_and_retire_plans");
  await expect(buyContract(db, purchase, noon)).rejects.toMatchObject({
    code: "contracts/plan-not-offered",
  });
});

test.each([
  ["at noon", "2026-05-20T12:00:00.000Z", "2026-05-22"],
  ["a moment before midnight", "2026-05-20T23:59:59.999Z", "2026-05-22"],
  ["at midnight itself", "2026-05-21T00:00:00.000Z", "2026-05-22"],
  ["a moment after midnight", "2026-05-21T00:00:00.001Z", "2026-05-23"],
])(
  "a first contract bought %s can be given back for 24 hours, and starts then",
  async (_when, boughtAt, startsOn) => {
    const at = new Date(boughtAt);
    day = "2026-06-01";
    const { planVersionId } = await offerTestPlan(db);
    const buyer = await createTestBuyer(db);
    const { contractId } = await buyTestContract(db, {
      customerId: buyer.id,
      planVersionId,
      now: at,
    });
    const contract = await findContract(db, buyer.id, contractId);
    expect(contract?.startsOn).toBe(startsOn);
    const until = later(at, 24 * 3_600_000);
    expect(contract?.coolingOffUntil).toEqual(until);
    const id = { customerId: buyer.id, contractId };
    await expect(giveBackContract(db, id, later(until, 1))).rejects.toMatchObject({
      code: "contracts/kept",
    });
    expect(await giveBackContract(db, id, until)).toEqual({ repeated: false });
    expect(await giveBackContract(db, id, later(until, 60_000))).toEqual({ repeated: true });
    expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n);
    const given = await findContract(db, buyer.id, contractId);
    expect(given && contractState(given, later(until, 1))).toBe("given-back");
  },
);

test("giving back in two tabs at once returns the coins once; another's contract, or a second one, stays", async () => {
  const noon = await dayOfTest();
  const { planVersionId } = await offerTestPlan(db);
  const [buyer, stranger] = await Promise.all([createTestBuyer(db), createTestBuyer(db)]);
  const { contractId } = await buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    now: noon,
  });
  await expect(
    giveBackContract(db, { customerId: stranger.id, contractId }, noon),
  ).rejects.toMatchObject({ code: "contracts/no-such-contract" });
  await expect(
    giveBackContract(db, { customerId: buyer.id, contractId: "__proto__" }, noon),
  ).rejects.toMatchObject({ code: "contracts/no-such-contract" });
  const back = { customerId: buyer.id, contractId };
  const both = await Promise.all([
    giveBackContract(db, back, noon),
    giveBackContract(db, back, noon),
  ]);
  expect(both.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
  expect((await getBalances(db, buyer.id)).BTC.available).toBe(100_000_000n);

  // Who gave a first one back has had his first one.
  const second = await buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    now: later(noon, 2),
  });
  await expect(
    giveBackContract(db, { customerId: buyer.id, contractId: second.contractId }, noon),
  ).rejects.toMatchObject({ code: "contracts/kept" });
});

test("what a plan has left respects reserve, offer and machines that leave later", async () => {
  const noon = await dayOfTest();
  const capacity = await findCapacity(db, noon);
  expect(capacity?.capacityGhs).toBe(1_000_000n);
  const { slug } = await offerTestPlan(db, { offeredGhs: 2_500n });
  expect(await findOfferedPlan(db, slug, { now: noon })).toMatchObject({
    freeGhs: 2_500n,
    freeUnits: 2,
  });
  const { slug: long } = await offerTestPlan(db, { termDays: 365 });
  const free = (await findOfferedPlan(db, long, { now: noon }))?.freeGhs ?? 0n;
  const { deliveryId } = await createTestFleet(db, { ghs: 500_000n, from: "2026-01-01" });
  await owner.query(
    "insert into fleet_reserves (reserve_ppm, created_at, action_id) values (100000, now(), $1)",
    [await actOnServer(owner, "fleet/set-reserve", "fleet")],
  );
  await owner.query(
    `insert into machine_delivery_states (delivery_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id)
     values ($1, '2026-12-01', 0, 0, 3500, 'sold', now(), $2)`,
    [deliveryId, await actOnServer(owner, "fleet/record-delivery-state", `delivery:${deliveryId}`)],
  );
  const left = await findOfferedPlan(db, long, { now: noon });
  // From June on a tenth of what is left of the machines is kept back.
  expect(left?.freeGhs).toBeLessThan(free + 1n);
  expect(left?.freeGhs).toBeLessThanOrEqual(900_000n);
});

test("what is free is free on exactly the days that the contract would have", async () => {
  const noon = await dayOfTest();
  const { planVersionId } = await offerTestPlan(db, { now: noon });
  const { deliveryId } = await createTestFleet(db, { ghs: 100_000n, from: "2026-01-01" });
  const free = async (isFirst: boolean) =>
    (await findOfferedVersion(db, planVersionId, { now: noon, isFirst }))?.freeGhs ?? 0n;
  const [first, second] = [await free(true), await free(false)];
  const actionId = await actOnServer(
    owner,
    "fleet/record-delivery-state",
    `delivery:${deliveryId}`,
  );
  const leave = (days: number) =>
    owner.query(
      `insert into machine_delivery_states (delivery_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id)
       values ($1, $2::date + $3::int, 0, 0, 3500, 'sold', now(), $4)`,
      [deliveryId, utcDay(noon), days, actionId],
    );
  // Of thirty days, a first contract has those until the thirty-first from now, others those until the thirtieth.
  await leave(32);
  expect([await free(true), await free(false)]).toEqual([first, second]);
  await leave(31);
  expect(await free(true)).toBeLessThan(first);
  expect(await free(false)).toBe(second);
});

test("quotes that nobody took up are deleted after a week, those of contracts never", async () => {
  const noon = await dayOfTest();
  const buyer = await createTestBuyer(db);
  const { planVersionId } = await offerTestPlan(db);
  const lost = await quoted({ customerId: buyer.id, planVersionId, now: noon });
  const taken = await quoted({ customerId: buyer.id, planVersionId, now: noon });
  await buyContract(
    db,
    { customerId: buyer.id, quoteId: taken.quoteId, ...acceptedTerms(noon) },
    noon,
  );
  await sweepQuotes(db, later(noon, 6 * 86_400_000));
  expect(await findQuote(db, buyer.id, lost.quoteId)).not.toBeNull();
  await sweepQuotes(db, later(noon, 8 * 86_400_000));
  expect(await findQuote(db, buyer.id, lost.quoteId)).toBeNull();
  expect(await findQuote(db, buyer.id, taken.quoteId)).not.toBeNull();
});
