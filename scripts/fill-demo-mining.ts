import { createHash, randomUUID, randomUUIDv7 } from "node:crypto";
import { eq } from "#server/platform/sql.ts";
import { blockSubsidySats } from "../core/block-subsidy.ts";
import { versionInForce } from "../core/legal/legal-versions.ts";
import { referenceSats } from "../core/mining/reference.ts";
import { parseUsd, unitsToPayUsdCents } from "../core/price.ts";
import { terms } from "../core/terms.ts";
import { utcDay } from "../core/utc-day.ts";
import type { App } from "../server/app-context.ts";
import { announceMaintenance, earliestChange } from "../server/contracts/announce-maintenance.ts";
import { buyContract } from "../server/contracts/buy-contract.ts";
import { contractQuotes } from "../server/contracts/schema.ts";
import { addBatch } from "../server/fleet/add-batch.ts";
import { addSite } from "../server/fleet/add-site.ts";
import { endOutage } from "../server/fleet/end-outage.ts";
import { recordOutage } from "../server/fleet/record-outage.ts";
import { setEnergyPrice } from "../server/fleet/set-energy-price.ts";
import { setReserve } from "../server/fleet/set-reserve.ts";
import type { Operator } from "../server/identity/operator.ts";
import { getBalances } from "../server/ledger/queries.ts";
import { keepPrice } from "../server/markets/keep-price.ts";
import { marketPrices, marketQuotes, networkFigures } from "../server/markets/schema.ts";
import { simulatedMarket } from "../server/markets/simulation/simulated-market.ts";
import { postMiningDay } from "../server/mining/post-mining-day.ts";
import { addPool } from "../server/payouts/add-pool.ts";
import { correctPayout } from "../server/payouts/correct-payout.ts";
import { enterPayout } from "../server/payouts/enter-payout.ts";
import { importStatement } from "../server/payouts/import-statement.ts";
import { keepStatement } from "../server/payouts/keep-statement.ts";
import { draftPlan } from "../server/plans/draft-plan.ts";
import { markOfTerms, type PlanTerms } from "../server/plans/plan.ts";
import { publishPlan } from "../server/plans/publish-plan.ts";
import { planVersions } from "../server/plans/schema.ts";
import { stateResidence } from "../server/verification/state-residence.ts";

const dayMs = 86_400_000;
/** How many days of mining the demo begins with. */
const days = 34;

/** Six machines: a small operator, so that one of them standing still is felt. */
const fleetGhs = 600_000n;
const feesPerBlockSats = 4_200_000n;

const start: PlanTerms = {
  name: "Demo Start",
  unitGhs: 1_000n,
  termDays: 360,
  mostUnits: 500,
  offeredGhs: null,
  machinesUsdCents: 1_350n,
  setupUsdCents: 150n,
  marginUsdCents: 300n,
  energyUsdMicros: 41_000n,
  operationUsdMicros: 6_000n,
  maintenanceMarginUsdMicros: 5_000n,
  termination: "refund-unserved",
};

/** Without maintenance worth the name: what it costs is in its price. */
const month: PlanTerms = {
  ...start,
  name: "Demo Month",
  termDays: 30,
  machinesUsdCents: 130n,
  setupUsdCents: 20n,
  marginUsdCents: 30n,
  offeredGhs: 300_000n,
};

/**
 * The machines, plans, payouts and credits of the last weeks, through the acts that a real operator and real customers go
 * through. Ada's contracts run, one of them soon to its end; Kofi's is unpaid, and its clock runs.
 */
export async function fillDemoMining(
  app: App,
  operator: Operator,
  customers: { ada: string; kofi: string },
): Promise<void> {
  const { db } = app;
  await fillPast(app);
  await fillFleet(app, operator);
  const versions = await fillPlans(app, operator);
  const poolDay = dayBefore(app, days);
  const pool = { name: "Demo pool (Luxor files)", format: "luxor", countsFrom: poolDay } as const;
  const { poolId } = await addPool(db, operator, pool, before(app, days + 1));
  const buy = (customerId: string, versionId: string, quantity: number, at: Date) =>
    buyInDemo(app, { customerId, versionId, quantity, at });
  await live(app, customers.ada, "GB", 39);
  await live(app, customers.kofi, "GH", 13);
  // With a day to think it over, it starts on the pool's first day, whatever the time of day is now.
  const dayToThink = new Date(`${dayBefore(app, days + 2)}T07:00:00Z`);
  await buy(customers.ada, versions.start, 40, dayToThink);
  await buy(customers.ada, versions.month, 60, before(app, 29.4));
  for (let daysAgo = days; daysAgo >= 1; daysAgo -= 1) {
    if (daysAgo === 4) await spendAll(app, customers.kofi, versions);
    if (daysAgo > 8) continue;
    if (daysAgo === 8) await importMonth(app, operator, poolId);
    if (daysAgo < 8) await enterDay(app, operator, poolId, daysAgo);
  }
  for (let daysAgo = days; daysAgo >= 1; daysAgo -= 1) {
    await postMiningDay(db, dayBefore(app, daysAgo), after(app, daysAgo));
  }
  await announceMaintenance(
    db,
    operator,
    {
      changeId: randomUUID(),
      versionId: versions.start,
      effectiveFrom: earliestChange(app.now()),
      usdMicros: 54_000n,
      reason: "Demo: the grid operator charges more for winter.",
    },
    app.now(),
  );
}

const before = (app: App, daysAgo: number) => new Date(app.now().getTime() - daysAgo * dayMs);
const dayBefore = (app: App, daysAgo: number) => utcDay(before(app, daysAgo));

/** Shortly after the end of a day, but never later than now. */
function after(app: App, daysAgo: number): Date {
  const midnight = Date.parse(`${dayBefore(app, daysAgo - 1)}T00:00:00Z`);
  return new Date(Math.min(midnight + 40 * 60_000, app.now().getTime()));
}

/** Prices and network figures of days on which the demo did not run, marked as simulated. */
async function fillPast(app: App): Promise<void> {
  for (let daysAgo = 42; daysAgo >= 1; daysAgo -= 1) {
    const observedAt = endOfDay(app, daysAgo);
    await addPrice(app, observedAt);
    const { height, difficulty, subsidySats } = networkAt(app, observedAt);
    await app.db
      .insert(networkFigures)
      .values({
        ...{ observedAt, source: "mempool", simulated: true, difficulty, subsidySats },
        ...{ height, feesPerBlockSats },
        hashrateHs: (difficulty * 2n ** 32n) / 600n,
        fastestFeeSatPerVb: 4,
        halfHourFeeSatPerVb: 3,
        hourFeeSatPerVb: 2,
      })
      .onConflictDoNothing();
  }
}

const endOfDay = (app: App, daysAgo: number) => new Date(`${dayBefore(app, daysAgo)}T23:56:00Z`);

/** What the demo's own exchanges would have said then, so that receipts and charts show one past. */
function priceAt(app: App, at: Date): bigint {
  const usd = simulatedMarket(() => app.now()).price("kraken", "BTC", at);
  return parseUsd(usd) ?? 0n;
}

function networkAt(app: App, at: Date) {
  const { height, difficulty } = simulatedMarket(() => app.now()).network(at);
  return {
    height,
    difficulty: BigInt(Math.round(difficulty)),
    subsidySats: blockSubsidySats(height),
  };
}

async function addPrice(app: App, observedAt: Date): Promise<{ priceId: string; usdE8: bigint }> {
  const usdE8 = priceAt(app, observedAt);
  const id = randomUUIDv7();
  await app.db.transaction(async (tx) => {
    const price = { id, asset: "BTC" as const, usdE8, observedAt, agreed: 2, simulated: true };
    await tx.insert(marketPrices).values(price);
    const quote = { priceId: id, usdE8, quotedAt: observedAt, verdict: "agreed" as const };
    await tx.insert(marketQuotes).values([
      { ...quote, source: "coinbase" },
      { ...quote, source: "kraken" },
    ]);
  });
  return { priceId: id, usdE8 };
}

async function fillFleet(app: App, operator: Operator): Promise<void> {
  const { db } = app;
  const at = before(app, 44);
  const site = { name: "Demo hall", place: "Nowhere, Sweden" };
  const { siteId } = await addSite(db, operator, site, at);
  const bill = { evidence: "Demo: the bill of the month before", usdMicrosPerKwh: 52_000n };
  await setEnergyPrice(db, operator, { siteId, effectiveFrom: dayBefore(app, 44), ...bill }, at);
  const batch = {
    ...{ batchId: randomUUID(), siteId, model: "Demo miner 100T", nameplateGhs: 100_000n },
    ...{ effectiveFrom: dayBefore(app, 43), machines: 6, measuredGhs: 100_000n },
    ...{ powerWatts: 1_900, evidence: "Demo: measured at the meter for a week" },
  };
  await addBatch(db, operator, batch, at);
  await setReserve(db, operator, 50_000, at);
  const startedAt = new Date(`${dayBefore(app, 12)}T02:10:00Z`);
  const outage = { outageId: randomUUID(), siteId, batchId: null, lostGhs: 550_000n };
  const reason = "Demo: the transformer failed and was replaced.";
  await recordOutage(db, operator, { ...outage, startedAt, reason }, before(app, 11));
  const end = {
    outageId: outage.outageId,
    endedAt: new Date(startedAt.getTime() + 20 * 3_600_000),
  };
  await endOutage(db, operator, end, before(app, 10.9));
}

async function fillPlans(app: App, operator: Operator): Promise<{ start: string; month: string }> {
  const publish = async (slug: string, terms: PlanTerms) => {
    const plan = { planId: randomUUID(), slug, terms };
    const { versionId } = await draftPlan(app.db, operator, plan, before(app, 43));
    const seen = markOfTerms(terms);
    await publishPlan(app.db, operator, { versionId, seen }, before(app, 42.9));
    return versionId;
  };
  return { start: await publish("demo-start", start), month: await publish("demo-month", month) };
}

async function live(app: App, customerId: string, country: string, daysAgo: number): Promise<void> {
  const browser = { ipAddress: "127.0.0.1", userAgent: "demo" };
  await stateResidence(app.db, { customerId, country, ...browser }, before(app, daysAgo));
}

const shortlyBefore = (at: Date) => new Date(at.getTime() - 60_000);

async function buyInDemo(
  app: App,
  wish: { customerId: string; versionId: string; quantity: number; at: Date },
): Promise<void> {
  const { customerId, versionId, quantity, at } = wish;
  const { priceId, usdE8 } = await addPrice(app, shortlyBefore(at));
  const [plan] = await app.db.select().from(planVersions).where(eq(planVersions.id, versionId));
  if (!plan) throw new Error("the demo's plan is not there");
  const quoteId = randomUUIDv7();
  const usdCents = plan.priceUsdCents * BigInt(quantity);
  // As `quoteContract` makes it, which values with the price of now alone.
  await app.db.transaction(async (tx) => {
    await keepPrice(tx, { priceId });
    await tx.insert(contractQuotes).values({
      ...{ id: quoteId, customerId, planVersionId: versionId, quantity, usdCents, coin: "BTC" },
      ...{ units: unitsToPayUsdCents(usdCents, "BTC", usdE8), priceId, quotedAt: at },
      expiresAt: new Date(at.getTime() + terms.quoteSeconds * 1000),
    });
  });
  const { version, sha256 } = versionInForce("terms", utcDay(at));
  const accepted = { customerId, quoteId, termsVersion: version, termsSha256: sha256 };
  await buyContract(app.db, accepted, new Date(at.getTime() + 9_000));
}

/** Somebody who leaves nothing for maintenance: as much of the long plan as goes, and of the other for the rest. */
async function spendAll(
  app: App,
  customerId: string,
  versions: { start: string; month: string },
): Promise<void> {
  const at = before(app, 4.5);
  const later = new Date(at.getTime() + 120_000);
  const units = async (cents: bigint, when: Date) => {
    const { BTC } = await getBalances(app.db, customerId);
    return Number((BTC.available * priceAt(app, shortlyBefore(when))) / 10n ** 14n / cents);
  };
  const long = Math.min(await units(1_800n, at), start.mostUnits, 180);
  await buyInDemo(app, { customerId, versionId: versions.start, quantity: long, at });
  const rest = Math.min(await units(180n, later), 200);
  if (rest < 1) return;
  await buyInDemo(app, { customerId, versionId: versions.month, quantity: rest, at: later });
}

/** What the demo's pool saw and paid: a little less than the network would have, and little on the day of the outage. */
function paidOn(app: App, daysAgo: number): { units: bigint; deliveredGhs: bigint } {
  const percent = daysAgo === 12 ? 12n : 97n + BigInt((daysAgo * 5) % 4);
  const deliveredGhs = (fleetGhs * percent) / 100n;
  const { difficulty, subsidySats } = networkAt(app, endOfDay(app, daysAgo));
  const reference = referenceSats(deliveredGhs, difficulty, subsidySats, feesPerBlockSats);
  return { deliveredGhs, units: (reference * (965n + BigInt((daysAgo * 3) % 30))) / 1000n };
}

/** The first weeks come as one file, in the shape of Luxor's. */
async function importMonth(app: App, operator: Operator, poolId: string): Promise<void> {
  const rows: string[] = [];
  for (let daysAgo = days; daysAgo >= 8; daysAgo -= 1) {
    const { units, deliveredGhs } = paidOn(app, daysAgo);
    const btc = `0.${units.toString().padStart(8, "0")}`;
    const phs = `${deliveredGhs / 1_000_000n}.${(deliveredGhs % 1_000_000n).toString().padStart(6, "0")}`;
    rows.push(`${dayBefore(app, daysAgo)},${phs},${btc},0.00000000`);
  }
  const head = "Date,Hashrate (PH/s),Mining (BTC),LuxOS (BTC)";
  const content = Buffer.from(`${head}\r\n${rows.join("\r\n")}\r\n`);
  const at = after(app, 8);
  const file = { poolId, name: "demo-revenue-by-day.csv", content };
  const { statementId } = await keepStatement(app.db, operator, file, at);
  await importStatement(app.db, operator, statementId, at);
}

/** The days since are entered by hand, each with its transaction; one of them is to be corrected. */
async function enterDay(
  app: App,
  operator: Operator,
  poolId: string,
  daysAgo: number,
): Promise<void> {
  const day = dayBefore(app, daysAgo);
  const payoutId = randomUUID();
  const txid = createHash("sha256").update(`demo payout ${day}`).digest("hex");
  const paid = paidOn(app, daysAgo);
  await enterPayout(
    app.db,
    operator,
    { payoutId, poolId, day, txid, ...paid },
    after(app, daysAgo),
  );
  if (daysAgo !== 5) return;
  const correction = {
    ...{ payoutId: randomUUID(), corrects: payoutId, units: paid.units - 120n },
    ...{ deliveredGhs: paid.deliveredGhs, txid, statementId: null },
    reason: "Demo: the pool counted rejected shares at first.",
  };
  await correctPayout(app.db, operator, correction, after(app, 2));
}
