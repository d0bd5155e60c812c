import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDelivery, createTestPlanVersion } from "#tests/factories/fleet.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { addDelivery } from "./add-delivery.ts";
import { addSite } from "./add-site.ts";
import { endOutage } from "./end-outage.ts";
import { findLastStateNumber, listDeliveries, listDeliveryStates } from "./list-deliveries.ts";
import { findEnergyPriceOn, listEnergyCosts } from "./list-energy-prices.ts";
import { listFleetDays } from "./list-fleet-days.ts";
import { listOutages, listOutagesBetween } from "./list-outages.ts";
import { listSites } from "./list-sites.ts";
import { recordDeliveryState } from "./record-delivery-state.ts";
import { recordOutage } from "./record-outage.ts";
import { markOfSite, renameSite } from "./rename-site.ts";
import { setEnergyPrice } from "./set-energy-price.ts";
import { setReserve } from "./set-reserve.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const now = new Date("2026-11-21T06:00:00Z");
const ths = 1_000n;
const state = { measuredGhs: 100n * ths, powerWatts: 1_750, evidence: "Measured" };
const code = (text: string) => ({ code: `fleet/${text}` });
const { siteId, deliveryId } = await createTestDelivery(db, grace, { machines: 10, now });

const noteState = async (word: Omit<Parameters<typeof recordDeliveryState>[2], "seen">) =>
  recordDeliveryState(
    db,
    grace,
    { ...word, seen: await findLastStateNumber(db, word.deliveryId) },
    now,
  );

async function capacityOn(day: string): Promise<bigint> {
  const [found] = await listFleetDays(db, { from: day, until: day });
  return found?.capacityGhs ?? -1n;
}

test("the last word on a day counts, and the same word is no second one", async () => {
  const change = { deliveryId, effectiveFrom: "2026-12-01", machines: 20, ...state };
  await noteState(change);
  await noteState(change);
  expect(await listDeliveryStates(db, deliveryId)).toHaveLength(2);
  await noteState({ ...change, machines: 15 });
  expect(await capacityOn("2026-11-30")).toBe(1_000n * ths);
  expect(await capacityOn("2026-12-01")).toBe(1_500n * ths);
});

test("a word on machines that were changed since the page was read is refused, and its own repeat is not", async () => {
  const one = { deliveryId, effectiveFrom: "2026-12-02", machines: 16, ...state };
  const seen = await findLastStateNumber(db, deliveryId);
  await recordDeliveryState(db, grace, { ...one, seen }, now);
  await recordDeliveryState(db, grace, { ...one, seen }, now);
  const other = { ...one, effectiveFrom: "2026-12-03", machines: 15, seen };
  await expect(recordDeliveryState(db, grace, other, now)).rejects.toMatchObject(
    code("state-changed-meanwhile"),
  );
  expect(await capacityOn("2026-12-03")).toBe(1_600n * ths);
  await noteState({ ...one, machines: 15 });
});

test("machines are never counted faster than their maker says", async () => {
  const delivery = { siteId, model: "Overclocked", nameplateGhs: 100n * ths };
  const before = await capacityOn("2027-01-01");
  const fast = { ...state, measuredGhs: 130n * ths, effectiveFrom: "2027-01-01", machines: 1 };
  const wanted = { ...delivery, ...fast, deliveryId: randomUUID() };
  await Promise.all([addDelivery(db, grace, wanted, now), addDelivery(db, grace, wanted, now)]);
  expect(await capacityOn("2027-01-01")).toBe(before + 100n * ths);
  const models = (await listDeliveries(db, "2026-11-21")).map(({ model, state: s }) => [
    model,
    s?.machines,
  ]);
  expect(models).toEqual([
    ["Antminer S21", 10],
    ["Overclocked", undefined],
  ]);
});

test("a site is one, energy has a price from a day on", async () => {
  const site = { name: "North", place: "Luleå, Sweden" };
  const [one, same] = await Promise.all([
    addSite(db, grace, site, now),
    addSite(db, grace, site, now),
  ]);
  expect(one).toEqual(same);
  await expect(addSite(db, grace, { ...site, place: "Oslo" }, now)).rejects.toMatchObject(
    code("site-name-taken"),
  );
  const price = { siteId: one.siteId, effectiveFrom: "2026-11-01", evidence: "Bill of October" };
  await setEnergyPrice(db, grace, { ...price, usdMicrosPerKwh: 52_000n }, now);
  await setEnergyPrice(
    db,
    grace,
    { ...price, effectiveFrom: "2026-12-01", usdMicrosPerKwh: 61_000n },
    now,
  );
  expect(await findEnergyPriceOn(db, one.siteId, "2026-10-31")).toBeNull();
  expect(await findEnergyPriceOn(db, one.siteId, "2026-11-30")).toMatchObject({
    usdMicrosPerKwh: 52_000n,
  });
  const nothing = setEnergyPrice(db, grace, { ...price, usdMicrosPerKwh: 0n }, now);
  await expect(nothing).rejects.toMatchObject(code("implausible-energy-price"));
});

test("an outage takes no hashrate away, is noted once and ended once", async () => {
  const outage = {
    outageId: randomUUID(),
    siteId,
    deliveryId,
    lostGhs: 500n * ths,
    reason: "A burnt fuse",
  };
  const startedAt = new Date("2026-11-20T03:00:00Z");
  await recordOutage(db, grace, { ...outage, startedAt }, now);
  await recordOutage(db, grace, { ...outage, startedAt }, now);
  const otherwise = recordOutage(db, grace, { ...outage, startedAt, lostGhs: 1n }, now);
  await expect(otherwise).rejects.toMatchObject({ code: "platform/sent-otherwise" });
  const future = { ...outage, outageId: randomUUID(), startedAt: new Date("2026-11-22T00:00:00Z") };
  await expect(recordOutage(db, grace, future, now)).rejects.toMatchObject(
    code("outage-in-the-future"),
  );
  const more = { ...outage, outageId: randomUUID(), startedAt, lostGhs: 1_001n * ths };
  await expect(recordOutage(db, grace, more, now)).rejects.toMatchObject(code("more-than-runs"));
  expect(await capacityOn("2026-11-20")).toBe(1_000n * ths);
  const { outageId } = outage;
  const early = endOutage(db, grace, { outageId, endedAt: new Date("2026-11-20T02:00:00Z") }, now);
  await expect(early).rejects.toMatchObject(code("outage-ends-before-it-starts"));
  await endOutage(db, grace, { outageId, endedAt: new Date("2026-11-20T05:00:00Z") }, now);
  const again = endOutage(db, grace, { outageId, endedAt: new Date("2026-11-20T06:00:00Z") }, now);
  await expect(again).rejects.toMatchObject(code("outage-changed-meanwhile"));
  expect(await listOutages(db, { limit: 9 })).toMatchObject([
    { reason: "A burnt fuse", endedAt: new Date("2026-11-20T05:00:00Z") },
  ]);
  // Its readers ask by whole UTC days.
  const between = (from: string, until: string) => listOutagesBetween(db, { from, until });
  expect(await between("2026-11-20", "2026-11-20")).toMatchObject([{ reason: "A burnt fuse" }]);
  expect([
    ...(await between("2026-11-18", "2026-11-19")),
    ...(await between("2026-11-21", "2026-11-22")),
  ]).toEqual([]);
  const rewrite = owner.query("update outages set reason = 'Nothing happened'");
  await expect(rewrite).rejects.toMatchObject({ constraint: "outages_end_once" });
});

test("a role that only reads changes nothing", async () => {
  const ida = await createTestOperator(db, { role: "auditor" });
  await expect(setReserve(db, ida, 1, now)).rejects.toMatchObject({
    code: "identity/not-permitted",
  });
});

// What follows sells on days of its own: 2028 has the 1,600 TH/s of above, and nothing sold.

const customers: string[] = [];
const versions = new Map<number, string>();
for (const termDays of [2, 10, 30, 360]) {
  const terms = { unitGhs: 100n * ths, termDays };
  const { versionId } = await createTestPlanVersion(db, grace, { now, terms });
  versions.set(termDays, versionId);
}

/** Buys as the contract's own act does, only plainer: a quote, its transfer and the contract, in one transaction. */
async function sell(quantity: number, day: string, days = 360): Promise<string> {
  const contract = randomUUID();
  const client = await owner.connect();
  try {
    await client.query("begin");
    const customer = customers[0] ?? (await aCustomer());
    await client.query(
      `select post_transfer(gen_random_uuid(), $1, 'conversion', $2, '2026-11-20', now(), 'x', '', '{"(available,BTC,500)","(conversion,BTC,-500)"}')`,
      [`funds:${contract}`, customer],
    );
    const { rows } = await client.query(
      `select post_transfer(gen_random_uuid(), $1, 'contract-purchase', $2, '2026-11-20', now(), 'x', '',
         '{"(available,BTC,-5)","(contract_prepaid,BTC,5)"}') as transfer_id`,
      [`contract-purchase:${contract}`, customer],
    );
    const bought = `${new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString()}`;
    await client.query(
      `insert into contract_quotes (id, order_id, customer_id, plan_version_id, quantity, usd_cents, coin, units, price_id, quoted_at, expires_at)
       values ($1, $1, $2, $3, $4, 100, 'BTC', 5, $5, $6, $6::timestamptz + interval '30 seconds')`,
      [contract, customer, versions.get(days), quantity, await aPrice(), bought],
    );
    await client.query(
      `insert into contracts (id, customer_id, plan_version_id, quote_id, order_id, quantity, ghs, term_days, usd_cents, coin, units,
         transfer_id, terms_version, terms_sha256, bought_at, starts_on, planned_last_day)
       values ($1, $2, $3, $1, $1, $4, $4::int * 100000, $8::int, 100, 'BTC', 5, $5, '1', sha256('x'), $6, $7::date, $7::date + $8::int - 1)`,
      [contract, customer, versions.get(days), quantity, rows[0].transfer_id, bought, day, days],
    );
    await client.query("commit");
    return contract;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

async function aCustomer(): Promise<string> {
  const { id } = await createTestCustomer(db);
  customers.push(id);
  return id;
}

let price = "";
async function aPrice(): Promise<string> {
  price ||= await createTestPrice(db, { asset: "BTC", usdE8: 10n ** 13n, observedAt: now });
  return price;
}

test("sells no more than the machines can do, however many buy at once", async () => {
  await aCustomer();
  await aPrice();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => sell(3, "2028-01-01")),
  );
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(outcomes.length - refused.length).toBe(5);
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ reason: { constraint: "hashrate_is_sold_once" } });
  }
  expect(await listFleetDays(db, { from: "2027-12-31", until: "2028-01-01" })).toMatchObject([
    { day: "2027-12-31", soldGhs: 0n },
    { day: "2028-01-01", capacityGhs: 1_600n * ths, soldGhs: 1_500n * ths, freeGhs: 100n * ths },
  ]);
});

test("takes away nothing that is sold, from whoever asks", async () => {
  const less = { deliveryId, effectiveFrom: "2028-06-01", machines: 13, ...state };
  await expect(noteState(less)).rejects.toMatchObject(code("less-than-sold"));
  await noteState({ ...less, machines: 14 });
  expect(await listFleetDays(db, { from: "2028-06-01", until: "2028-06-01" })).toMatchObject([
    { capacityGhs: 1_500n * ths, freeGhs: 0n },
  ]);
  const forged = owner.query("update fleet_days set capacity_ghs = 1 where day = '2028-06-01'");
  await expect(forged).rejects.toMatchObject({ constraint: "hashrate_is_sold_once" });
});

test("of a sale and fewer machines at once, one gives way", async () => {
  const fewer = { deliveryId, effectiveFrom: "2029-06-01", machines: 0, ...state };
  const outcomes = await Promise.allSettled([sell(10, "2029-06-01", 30), noteState(fewer)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [first] = await listFleetDays(db, { from: "2029-06-01", until: "2029-06-01" });
  expect((first?.soldGhs ?? 0n) <= (first?.capacityGhs ?? 0n)).toBe(true);
});

test("keeps the reserve out of sale, and what runs on", async () => {
  const again = { deliveryId, effectiveFrom: "2030-01-01", machines: 10, ...state };
  await noteState(again);
  await setReserve(db, grace, 500_000, now);
  const [day] = await listFleetDays(db, { from: "2030-01-01", until: "2030-01-01" });
  const units = Number((day?.freeGhs ?? 0n) / (100n * ths));
  expect(day?.freeGhs).toBe((day?.capacityGhs ?? 0n) / 2n);
  await expect(sell(units + 1, "2030-01-01", 2)).rejects.toMatchObject({
    constraint: "hashrate_is_sold_once",
  });
  await sell(units, "2030-01-01", 2);
});

test("what ends early is free again from the next day on", async () => {
  await setReserve(db, grace, 0, now);
  const contract = await sell(2, "2031-01-01", 10);
  // As the engine does, which alone may write an ending.
  await owner.query(`
    update contracts set last_day = '2031-01-04', end_reason = 'unpaid-maintenance', ended_at = now() where id = '${contract}';
    insert into contract_endings (contract_id, customer_id, reason, ended_at)
    select id, customer_id, end_reason, ended_at from contracts where id = '${contract}'`);
  const days = await listFleetDays(db, { from: "2031-01-04", until: "2031-01-05" });
  expect(days.map(({ soldGhs }) => soldGhs)).toEqual([200n * ths, 0n]);
});

test.each([
  "update fleet_days set sold_ghs = 0",
  "insert into fleet_days (day, capacity_ghs) values ('2040-01-01', 1)",
  "update machine_delivery_states set machines = 1000000",
  "delete from machine_delivery_states",
  "update machine_deliveries set nameplate_ghs = 1",
  "select open_fleet_days('2040-01-01', '2040-01-02')",
])("the application itself may not: %s", async (statement) => {
  await expect(db.$client.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("a site gets another name by an act of staff, and energy is worked out of what its machines draw", async () => {
  const north = await createTestDelivery(db, grace, { machines: 10, now });
  const name = `North ${randomUUID()}`;
  const markNow = async (id: string) =>
    markOfSite((await listSites(db)).find((site) => site.id === id) ?? { name: "", place: "" });
  const seen = await markNow(north.siteId);
  const wanted = { siteId: north.siteId, name, place: "Boden, Sweden", seen };
  const rename = (site: typeof wanted) => renameSite(db, grace, site, now);
  await rename(wanted);
  await rename(wanted);
  await expect(rename({ ...wanted, place: "Luleå" })).rejects.toMatchObject(
    code("site-changed-meanwhile"),
  );
  const again = { ...wanted, seen: markOfSite(wanted) };
  await expect(rename({ ...again, siteId, seen: await markNow(siteId) })).rejects.toMatchObject(
    code("site-name-taken"),
  );
  await expect(rename({ ...again, name: " " })).rejects.toMatchObject(code("site-unnamed"));
  const acts = await owner.query(
    "select detail->>'name' as name from audit_log where act = 'fleet/rename-site'",
  );
  expect(acts.rows).toEqual([{ name }]);
  const secretly = db.execute(sql`update sites set name = 'Other' where id = ${siteId}`);
  await expect(secretly).rejects.toMatchObject({
    cause: { constraint: "sites_are_renamed_by_staff_acts" },
  });
  const costOf = async () =>
    (await listEnergyCosts(db, "2026-11-21")).find(({ siteName }) => siteName === name);
  expect(await costOf()).toBeUndefined();
  const price = { siteId: north.siteId, usdMicrosPerKwh: 50_000n, evidence: "Bill" };
  await setEnergyPrice(db, grace, { ...price, effectiveFrom: "2026-11-01" }, now);
  const [delivery] = (await listDeliveries(db, "2026-11-21")).filter(
    ({ siteName }) => siteName === name,
  );
  const watts = BigInt(delivery?.state?.powerWatts ?? 0);
  const ghs = delivery?.state?.measuredGhs ?? 1n;
  // Of one TH/s: watts per TH/s, 24 hours, at five cents a kilowatt hour.
  const cost = (watts * 24n * 50_000n + ghs - 1n) / ghs;
  expect(await costOf()).toMatchObject({ usdMicrosPerThsDay: cost, ghs: 10n * ghs });
});

test("machines that are added by one form are added once, and what it said otherwise is refused", async () => {
  const first = { effectiveFrom: "2027-01-01", machines: 1, ...state };
  const delivery = { siteId, model: "Sent twice", nameplateGhs: 100n * ths, ...first };
  const sent = { ...delivery, deliveryId: randomUUID() };
  await addDelivery(db, grace, sent, now);
  await addDelivery(db, grace, sent, now);
  for (const otherwise of [{ machines: 2 }, { model: "Another" }, { evidence: "A bill" }]) {
    await expect(addDelivery(db, grace, { ...sent, ...otherwise }, now)).rejects.toMatchObject({
      code: "platform/sent-otherwise",
    });
  }
  await noteState({ ...first, deliveryId: sent.deliveryId, machines: 0 });
  await addDelivery(db, grace, sent, now);
  expect(await listDeliveryStates(db, sent.deliveryId)).toHaveLength(2);
});
