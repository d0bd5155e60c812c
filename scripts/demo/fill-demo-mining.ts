import { randomUUID, randomUUIDv7 } from "node:crypto";
import { versionInForce } from "../../core/legal/legal-versions.ts";
import { blockSubsidySats } from "../../core/mining/block-subsidy.ts";
import { maintenanceSats, usdMicros } from "../../core/mining/maintenance.ts";
import { referenceSats } from "../../core/mining/reference.ts";
import { parseUsd, unitsToPayUsdCents } from "../../core/price.ts";
import { terms } from "../../core/terms.ts";
import { startOfDay, utcDay } from "../../core/utc-day.ts";
import type { App } from "../../server/app-context.ts";
import { buyContract } from "../../server/contracts/buy-contract.ts";
import {
  announceMaintenance,
  earliestChange,
} from "../../server/contracts/maintenance/announce-maintenance.ts";
import { changeDraft } from "../../server/contracts/plans/change-draft.ts";
import { draftPlan } from "../../server/contracts/plans/draft-plan.ts";
import { draftVersion } from "../../server/contracts/plans/draft-version.ts";
import { markOfTerms, type PlanTerms } from "../../server/contracts/plans/plan.ts";
import { publishPlan } from "../../server/contracts/plans/publish-plan.ts";
import { retirePlan } from "../../server/contracts/plans/retire-plan.ts";
import { contractQuotes, planVersions } from "../../server/contracts/schema.ts";
import { addDelivery } from "../../server/fleet/add-delivery.ts";
import { addSite } from "../../server/fleet/add-site.ts";
import { endOutage } from "../../server/fleet/end-outage.ts";
import { recordOutage } from "../../server/fleet/record-outage.ts";
import { setEnergyPrice } from "../../server/fleet/set-energy-price.ts";
import { setReserve } from "../../server/fleet/set-reserve.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { getBalances } from "../../server/ledger/get-balances.ts";
import { pinPrice } from "../../server/markets/pin-price.ts";

import { marketPrices, marketQuotes, networkFigures } from "../../server/markets/schema.ts";
import type { Market } from "../../server/markets/simulation/simulated-market.ts";
import { postCorrections } from "../../server/mining/days/post-corrections.ts";
import { postMiningDay } from "../../server/mining/days/post-mining-day.ts";
import { collectArrears } from "../../server/mining/grace-periods/collect-arrears.ts";
import { expireClocks } from "../../server/mining/grace-periods/expire-grace-periods.ts";
import { addPool } from "../../server/payouts/add-pool.ts";
import { confirmPayout } from "../../server/payouts/confirm-payout.ts";
import { correctPayout } from "../../server/payouts/correct-payout.ts";
import { enterPayout } from "../../server/payouts/enter-payout.ts";
import { importStatement } from "../../server/payouts/import-statement.ts";
import { keepStatement } from "../../server/payouts/keep-statement.ts";
import { listPayouts } from "../../server/payouts/list-payouts.ts";
import { eq } from "../../server/platform/sql.ts";
import type { DemoChain } from "./demo-chain.ts";
import type { DemoDays, DemoEvent } from "./demo-timeline.ts";
import { coinsCountAfter, namePoolAddress } from "./name-pool-address.ts";

/** How many days of mining the demo begins with, and on which of them half the day was without power. */
const minedDays = 38;
const outageDaysAgo = 12;
/** What the pool paid with another day's coin, and a correction says. */
const paidLater = { daysAgo: 18, sats: 2_400n };
/** What came as the pool's file; the days since are entered by hand. */
const importedDays = 7;

/** Seven modern machines and sixteen old ones: a small operator, so that a hall without power is felt. */
export const modern = { machines: 7, ghs: 200_000n, watts: 3_000 };
const old = { machines: 16, ghs: 25_000n, watts: 1_500 };
const fleetGhs = BigInt(modern.machines) * modern.ghs + BigInt(old.machines) * old.ghs;
const usdMicrosPerKwh = 55_000n;
/** As the demo's own exchange says it. */
const feesPerBlockSats = 2_083_334n;

/** What a TH/s costs for a day: its energy (15 J at $0.055 a kWh), the people, and something to live on. */
const modernTerms = {
  unitGhs: 1_000n,
  mostUnits: 500,
  offeredGhs: null,
  energyUsdMicros: energyUsdMicros(15n),
  operationUsdMicros: 3_200n,
  maintenanceMarginUsdMicros: 2_000n,
  termination: "refund-unserved",
} as const;
const modernMaintenance = energyUsdMicros(15n) + 3_200n + 2_000n;

function energyUsdMicros(joulesPerTh: bigint): bigint {
  return (joulesPerTh * 24n * usdMicrosPerKwh) / 1_000n;
}

/** A price in parts: what the machines cost of it is what setup and margin leave. */
function priced(cents: bigint, setup: bigint, margin: bigint) {
  const machines = cents - setup - margin;
  return { machinesUsdCents: machines, setupUsdCents: setup, marginUsdCents: margin };
}

interface Context {
  app: App;
  chain: DemoChain;
  days: DemoDays;
  olga: Operator;
  pavel: Operator;
  idOf(email: string): string;
}

interface DemoPool {
  id: string;
  address: string;
  /** Of its payments, by how many days ago they were. */
  txids: Map<number, string>;
}

/** The versions of plans that contracts were bought under. */
interface Plans {
  year: string;
  month: string;
  dearMonth: string;
  classic: string;
}

/**
 * The machines, plans, payouts and credits of the last weeks. What a plan costs follows from what the demo's market paid: a year
 * is nearly repaid where nothing changes; a month was cheap at first and dear later, so one contract has won and one has lost.
 * Old machines earn less than their energy costs: whoever rented them and had no balance lost the contract by its rules.
 */
export function miningEvents(context: Context): DemoEvent[] {
  const { app, chain, days, olga, idOf } = context;
  const { db } = app;
  const plans: Plans = { year: "", month: "", dearMonth: "", classic: "" };
  const pool: DemoPool = { id: "", address: "", txids: new Map() };
  const who = (name: string) => idOf(`${name}@example.com`);
  const buys = (name: string, plan: keyof Plans, quantity: number, at: Date): DemoEvent => ({
    at,
    happen: (then) =>
      buyInDemo(context, { customerId: who(name), versionId: plans[plan], quantity, at: then }),
  });
  const spendsAll = (name: string, at: Date): DemoEvent => ({
    at,
    happen: (then) =>
      spendAll(context, { customerId: who(name), versionId: plans.classic, at: then }),
  });
  const addsPool = async (at: Date) => {
    const counts = { format: "luxor", countsFrom: days.day(minedDays) } as const;
    const named = { name: "Demo pool (Luxor files)", ...counts };
    pool.id = (await addPool(db, olga, named, at)).poolId;
    pool.address = await namePoolAddress(db, olga, { poolId: pool.id, key: chain.key }, at);
  };
  const pays = (daysAgo: number): DemoEvent => ({
    at: days.at(daysAgo, "23:40"),
    async happen(at) {
      const later = daysAgo === paidLater.daysAgo ? paidLater.sats : 0n;
      const { units } = paidOn(days, daysAgo);
      pool.txids.set(daysAgo, chain.payTo(pool.address, units + later));
      await chain.mine(coinsCountAfter, at);
    },
  });
  return [
    ...fleetEvents(context),
    ...planEvents(context, plans),
    { at: days.at(minedDays + 1, "08:00"), happen: addsPool },
    ...Array.from({ length: minedDays }, (_, i) => pays(minedDays - i)),
    buys("ada", "year", 120, days.at(40, "07:00")),
    buys("nadia", "month", 250, days.at(39, "10:00")),
    buys("ada", "month", 300, days.at(30, "18:30")),
    buys("tomas", "year", 90, days.at(27, "12:40")),
    buys("ada", "dearMonth", 200, days.at(12, "20:45")),
    spendsAll("mei", days.at(18, "09:00")),
    spendsAll("kofi", days.at(4, "14:00")),
    {
      at: days.afterDay(minedDays - importedDays + 1, 25),
      happen: (at) => importWeek(context, pool.id, at),
    },
    ...Array.from({ length: minedDays - importedDays }, (_, i): DemoEvent => {
      const daysAgo = minedDays - importedDays - i;
      const at = days.afterDay(daysAgo, 25);
      return { at, happen: (then) => enterDay(context, { pool, daysAgo }, then) };
    }),
    ...correctionEvents(context, pool),
    ...Array.from({ length: minedDays }, (_, i): DemoEvent => {
      const daysAgo = minedDays - i;
      const isImported = daysAgo > minedDays - importedDays;
      const posted = isImported ? minedDays - importedDays + 1 : daysAgo;
      return {
        at: days.afterDay(posted, 40),
        happen: (at) => postMiningDay(db, days.day(daysAgo), at),
      };
    }),
    ...Array.from(
      { length: 18 },
      (_, i): DemoEvent => ({
        at: days.at(18 - i, "04:00"),
        async happen(at) {
          await collectArrears(db, at);
          await expireClocks(db, at);
        },
      }),
    ),
    {
      at: days.at(1, "10:00"),
      async happen(at) {
        const change = { changeId: randomUUID(), versionId: plans.year, usdMicros: 25_300n };
        const effectiveFrom = earliestChange(at);
        const reason = "Demo: the grid operator charges a little more for winter.";
        await announceMaintenance(db, olga, { ...change, effectiveFrom, reason }, at);
      },
    },
  ];
}

/** Prices and network figures of days on which the demo did not run, marked as simulated. */
export function marketEvents({ app, days }: Pick<Context, "app" | "days">): DemoEvent[] {
  const observe = async (observedAt: Date) => {
    await addPrice(app, days, observedAt);
    const { height, difficulty, subsidySats } = networkAt(days.market, observedAt);
    await app.db
      .insert(networkFigures)
      .values({
        observedAt,
        host: "127.0.0.1",
        simulated: true,
        difficulty,
        subsidySats,
        height,
        feesPerBlockSats,
        hashrateHs: (difficulty * 2n ** 32n) / 600n,
        fastestFeeSatPerVb: 4,
        halfHourFeeSatPerVb: 3,
        hourFeeSatPerVb: 2,
      })
      .onConflictDoNothing();
  };
  return Array.from({ length: 46 }, (_, i) => ({ at: days.at(46 - i, "23:56"), happen: observe }));
}

/** What the demo's own exchanges would have said then, so that receipts and charts show one past. */
function priceAt(market: Market, at: Date): bigint {
  return parseUsd(market.price("kraken", "BTC", at)) ?? 0n;
}

function networkAt(market: Market, at: Date) {
  const { height, difficulty } = market.network(at);
  return {
    height,
    difficulty: BigInt(Math.round(difficulty)),
    subsidySats: blockSubsidySats(height),
  };
}

export async function addPrice(
  app: App,
  { market }: DemoDays,
  observedAt: Date,
): Promise<{ priceId: string; usdE8: bigint }> {
  const usdE8 = priceAt(market, observedAt);
  const id = randomUUIDv7();
  await app.db.transaction(async (tx) => {
    const price = { id, asset: "BTC" as const, usdE8, observedAt, agreed: 2, simulated: true };
    await tx.insert(marketPrices).values(price);
    const quote = { priceId: id, usdE8, quotedAt: observedAt, verdict: "agreed" as const };
    await tx.insert(marketQuotes).values([
      { ...quote, source: "coinbase", host: "127.0.0.1" },
      { ...quote, source: "kraken", host: "127.0.0.1" },
    ]);
  });
  return { priceId: id, usdE8 };
}

/** What a TH/s earned less its maintenance on days that are over, in millionths of a dollar. */
function earnedUsdMicros(days: DemoDays, from: number, until: number): bigint {
  let sum = 0n;
  for (let daysAgo = from; daysAgo >= until; daysAgo -= 1) {
    const { units, deliveredGhs } = paidOn(days, daysAgo);
    const usdE8 = priceAt(days.market, days.at(daysAgo, "23:56"));
    // Of a thousand TH/s: of one the satoshis are too few to be exact.
    const credit = (units * 1_000_000n) / deliveredGhs;
    sum += usdMicros(credit - maintenanceSats(1_000_000n, modernMaintenance, usdE8), usdE8);
  }
  return sum / 1_000n;
}

/** What a TH/s would earn less its maintenance on a day like the one that begins today, as plans' pages work it out. */
function flatDayUsdMicros(days: DemoDays): bigint {
  const at = startOfDay(days.day(0));
  const { difficulty, subsidySats } = networkAt(days.market, at);
  const sats = referenceSats(1_000_000n, difficulty, subsidySats, feesPerBlockSats);
  return usdMicros(sats, priceAt(days.market, at)) / 1_000n - modernMaintenance;
}

const cents = (micros: bigint) => micros / 10_000n;
/** Even a market that pays next to nothing has a price. */
const atLeast = (least: bigint, value: bigint) => (value < least ? least : value);

/** A month at a price that a flat market nearly repays. */
export function monthTerms(days: DemoDays): PlanTerms {
  const price = atLeast(8n, cents((flatDayUsdMicros(days) * 30n * 97n) / 100n));
  return { ...modernTerms, name: "Demo Month", termDays: 30, ...priced(price, 2n, 2n) };
}

function planTermsOf(days: DemoDays): Record<keyof Plans, PlanTerms> {
  const year = atLeast(60n, cents((flatDayUsdMicros(days) * 360n * 97n) / 100n));
  const cheap = atLeast(8n, cents((earnedUsdMicros(days, 29, 1) * 80n) / 100n));
  const dear = cents((earnedUsdMicros(days, 11, 1) * 30n * 130n) / 1_100n);
  const month = { ...modernTerms, name: "Demo Month", termDays: 30, offeredGhs: 700_000n };
  return {
    year: { ...modernTerms, name: "Demo Year", termDays: 360, ...priced(year, 20n, 25n) },
    month: { ...month, ...priced(cheap, 2n, 2n) },
    dearMonth: { ...month, ...priced(atLeast(cheap + 6n, dear), 2n, 4n) },
    classic: {
      ...modernTerms,
      name: "Demo Classic",
      termDays: 360,
      mostUnits: 400,
      offeredGhs: 600_000n,
      ...priced(600n, 30n, 40n),
      energyUsdMicros: energyUsdMicros(60n),
    },
  };
}

function planEvents({ app, days, olga, pavel }: Context, plans: Plans): DemoEvent[] {
  const { db } = app;
  const wanted = planTermsOf(days);
  const monthId = randomUUID();
  const publish = async (versionId: string, of: PlanTerms, at: Date) =>
    publishPlan(db, olga, { versionId, seen: markOfTerms(of) }, at);
  const offers = (
    plan: keyof Plans,
    slug: string,
    planId: string,
    daysAgo: number,
  ): DemoEvent[] => [
    {
      at: days.at(daysAgo, "09:00"),
      async happen(at) {
        const drafted = { planId, slug, terms: wanted[plan] };
        plans[plan] = (await draftPlan(db, pavel, drafted, at)).versionId;
      },
    },
    { at: days.at(daysAgo, "11:30"), happen: (at) => publish(plans[plan], wanted[plan], at) },
  ];
  const raises = async (at: Date) => {
    const { versionId } = await draftVersion(db, pavel, monthId, at);
    plans.dearMonth = versionId;
    const [draft] = await db.select().from(planVersions).where(eq(planVersions.id, versionId));
    if (!draft) throw new Error("the draft just made is not there");
    const change = { versionId, seen: markOfTerms(draft), terms: wanted.dearMonth };
    await changeDraft(db, pavel, change, at);
    await publish(versionId, wanted.dearMonth, at);
  };
  return [
    ...offers("year", "demo-year", randomUUID(), 43),
    ...offers("month", "demo-month", monthId, 43),
    ...offers("classic", "demo-classic", randomUUID(), 42),
    { at: days.at(14, "10:00"), happen: raises },
    { at: days.at(3, "10:00"), happen: (at) => retirePlan(db, olga, plans.classic, at) },
  ];
}

function fleetEvents({ app, days, olga }: Context): DemoEvent[] {
  const { db } = app;
  const outageId = randomUUID();
  const startedAt = days.at(outageDaysAgo, "02:10");
  let siteId = "";
  const builds = async (at: Date) => {
    ({ siteId } = await addSite(db, olga, { name: "Demo hall", place: "Nowhere, Sweden" }, at));
    const from = { siteId, effectiveFrom: days.day(44) };
    const bill = { evidence: "Demo: the bill of the month before", usdMicrosPerKwh };
    await setEnergyPrice(db, olga, { ...from, ...bill }, at);
    const evidence = "Demo: measured at the meter for a week";
    const add = (model: string, { machines, ghs, watts: powerWatts }: typeof modern) =>
      addDelivery(
        db,
        olga,
        {
          deliveryId: randomUUID(),
          siteId,
          model,
          nameplateGhs: ghs,
          measuredGhs: ghs,
          effectiveFrom: days.day(43),
          machines,
          powerWatts,
          evidence,
        },
        at,
      );
    await add("Demo miner 200T, 15 J/TH", modern);
    await add("Demo miner 25T, 60 J/TH", old);
    await setReserve(db, olga, 50_000, at);
  };
  return [
    { at: days.at(44, "08:00"), happen: builds },
    {
      at: days.at(outageDaysAgo, "03:00"),
      happen: (at) => {
        const outage = { outageId, siteId, deliveryId: null, lostGhs: (fleetGhs * 92n) / 100n };
        const reason = "Demo: the transformer failed and was replaced.";
        return recordOutage(db, olga, { ...outage, startedAt, reason }, at);
      },
    },
    {
      at: days.at(outageDaysAgo, "23:00"),
      happen: (at) => {
        const endedAt = new Date(startedAt.getTime() + 20 * 3_600_000);
        return endOutage(db, olga, { outageId, endedAt }, at);
      },
    },
  ];
}

const shortlyBefore = (at: Date) => new Date(at.getTime() - 60_000);

async function buyInDemo(
  { app, days }: Pick<Context, "app" | "days">,
  wish: { customerId: string; versionId: string; quantity: number; at: Date },
): Promise<void> {
  const { customerId, versionId, quantity, at } = wish;
  const { priceId, usdE8 } = await addPrice(app, days, shortlyBefore(at));
  const [plan] = await app.db.select().from(planVersions).where(eq(planVersions.id, versionId));
  if (!plan) throw new Error("the demo's plan is not there");
  const quoteId = randomUUIDv7();
  const usdCents = plan.priceUsdCents * BigInt(quantity);
  // As `quoteContract` makes it, which values with the price of now alone.
  await app.db.transaction(async (tx) => {
    await pinPrice(tx, { priceId });
    await tx.insert(contractQuotes).values({
      id: quoteId,
      orderId: quoteId,
      customerId,
      planVersionId: versionId,
      quantity,
      usdCents,
      coin: "BTC",
      units: unitsToPayUsdCents(usdCents, "BTC", usdE8),
      priceId,
      quotedAt: at,
      expiresAt: new Date(at.getTime() + terms.quoteSeconds * 1000),
    });
  });
  const { version, sha256 } = versionInForce("terms", utcDay(at));
  const accepted = { customerId, quoteId, termsVersion: version, termsSha256: sha256 };
  await buyContract(app.db, accepted, new Date(at.getTime() + 9_000));
}

/** Somebody who leaves nothing for maintenance: as much as the balance pays, and less than a unit is left. */
async function spendAll(
  context: Pick<Context, "app" | "days">,
  { customerId, versionId, at }: { customerId: string; versionId: string; at: Date },
): Promise<void> {
  const { BTC } = await getBalances(context.app.db, customerId);
  const usdCents = (BTC.available * priceAt(context.days.market, shortlyBefore(at))) / 10n ** 14n;
  const quantity = Math.min(Number(usdCents / 600n), 400);
  await buyInDemo(context, { customerId, versionId, quantity, at });
}

/** What the demo's pool saw and paid: a little less than the network would have, and little on the day of the outage. */
function paidOn(days: DemoDays, daysAgo: number): { units: bigint; deliveredGhs: bigint } {
  const percent = daysAgo === outageDaysAgo ? 23n : 96n + BigInt((daysAgo * 5) % 5);
  const deliveredGhs = (fleetGhs * percent) / 100n;
  const { difficulty, subsidySats } = networkAt(days.market, days.at(daysAgo, "23:56"));
  const reference = referenceSats(deliveredGhs, difficulty, subsidySats, feesPerBlockSats);
  return { deliveredGhs, units: (reference * (955n + BigInt((daysAgo * 7) % 60))) / 1000n };
}

/** The first week comes as one file, in the shape of Luxor's. */
async function importWeek(
  { app, days, olga, pavel }: Context,
  poolId: string,
  at: Date,
): Promise<void> {
  const rows: string[] = [];
  for (let daysAgo = minedDays; daysAgo > minedDays - importedDays; daysAgo -= 1) {
    const { units, deliveredGhs } = paidOn(days, daysAgo);
    const btc = `0.${units.toString().padStart(8, "0")}`;
    const phs = `${deliveredGhs / 1_000_000n}.${(deliveredGhs % 1_000_000n).toString().padStart(6, "0")}`;
    rows.push(`${days.day(daysAgo)},${phs},${btc},0.00000000`);
  }
  const head = "Date,Hashrate (PH/s),Mining (BTC),LuxOS (BTC)";
  const content = Buffer.from(`${head}\r\n${rows.join("\r\n")}\r\n`);
  const file = { poolId, name: "demo-revenue-by-day.csv", content };
  const { statementId } = await keepStatement(app.db, pavel, file, at);
  await importStatement(app.db, pavel, statementId, at);
  const waiting = await listPayouts(app.db, { limit: 100 });
  for (const { id, state } of waiting) {
    if (state === "proposed") await confirmPayout(app.db, olga, id, at);
  }
}

/** Pavel enters a day with its transaction; where two people are needed Olga looks, too. */
async function enterDay(
  { app, days, olga, pavel }: Context,
  { pool, daysAgo }: { pool: DemoPool; daysAgo: number },
  at: Date,
): Promise<void> {
  const payoutId = randomUUID();
  const txid = pool.txids.get(daysAgo) ?? null;
  const of = { payoutId, poolId: pool.id, day: days.day(daysAgo), txid };
  const paid = { ...of, ...paidOn(days, daysAgo) };
  const { state } = await enterPayout(app.db, pavel, paid, at);
  if (state === "proposed") await confirmPayout(app.db, olga, payoutId, at);
}

/** One correction was confirmed and given out, another one waits for a second person. */
function correctionEvents({ app, days, olga, pavel }: Context, pool: { id: string }): DemoEvent[] {
  const { db } = app;
  const correct = async (daysAgo: number, lessSats: bigint, reason: string, at: Date) => {
    const all = await listPayouts(db, { limit: 100 });
    const wrong = all.find((each) => each.day === days.day(daysAgo) && each.poolId === pool.id);
    if (!wrong) throw new Error("the day was entered");
    const payoutId = randomUUID();
    const right = { units: wrong.units - lessSats, deliveredGhs: wrong.deliveredGhs };
    const evidence = { txid: wrong.txid, statementId: null, reason };
    await correctPayout(db, pavel, { payoutId, corrects: wrong.id, ...right, ...evidence }, at);
    return payoutId;
  };
  return [
    {
      at: days.at(17, "10:00"),
      async happen(at) {
        const reason = "Demo: the pool paid a share of the transaction fees later.";
        const id = await correct(19, -paidLater.sats, reason, at);
        await confirmPayout(db, olga, id, at);
        await postCorrections(db, at);
      },
    },
    {
      at: days.at(2, "09:30"),
      happen: (at) => correct(5, 120n, "Demo: the pool counted rejected shares at first.", at),
    },
  ];
}
