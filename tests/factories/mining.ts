import { createHash, randomUUID, randomUUIDv7 } from "node:crypto";
import type pg from "pg";
import type { Coin } from "#core/asset.ts";
import { writeThs } from "#core/mining/hashrate.ts";
import { referenceSats } from "#core/mining/reference.ts";
import { toDecimal } from "#core/money.ts";
import { unitsForUsdCents } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import { actAsSystem } from "#server/identity/audit/act-as-operator.ts";
import { auditLog } from "#server/identity/schema.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { reverseTransfer } from "#server/ledger/reverse-transfer.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { creditTestDeposit } from "./credited-deposit.ts";
import { createTestPrice } from "./market.ts";
import { createTestOperator } from "./operator.ts";
import { aTransfer } from "./transfer.ts";

const day = 86_400_000;

/** The day so many days after another, as YYYY-MM-DD. */
export function dayAfter(first: string, days: number): string {
  return utcDay(new Date(Date.parse(`${first}T00:00:00Z`) + days * day));
}

/** A site with machines that can do so much from a day on. */
export async function createTestFleet(
  db: Db,
  { ghs, from, machineGhs = 1_000n }: { ghs: bigint; from: string; machineGhs?: bigint },
): Promise<{ siteId: string; deliveryId: string }> {
  const siteId = randomUUID();
  const deliveryId = randomUUID();
  const now = new Date(`${from}T00:00:00Z`);
  await system(db, "fleet/add-site", `site:${siteId}`, now, async (tx, action) => {
    await tx.execute(sql`insert into sites (id, name, place, created_at, action_id)
      values (${siteId}, ${`Site ${siteId}`}, 'Akureyri, Iceland', ${at(now)}, ${action})`);
  });
  await system(db, "fleet/add-delivery", `delivery:${deliveryId}`, now, async (tx, action) => {
    await tx.execute(sql`insert into machine_deliveries (id, site_id, model, nameplate_ghs, created_at, action_id)
      values (${deliveryId}, ${siteId}, 'Miner M1', ${machineGhs}, ${at(now)}, ${action})`);
    await tx.execute(sql`insert into machine_delivery_states
      (delivery_id, effective_from, machines, measured_ghs, power_watts, evidence, created_at, action_id)
      values (${deliveryId}, ${from}, ${(ghs + machineGhs - 1n) / machineGhs}, ${machineGhs}, 3000, 'Measured at the meter', ${at(now)}, ${action})`);
  });
  return { siteId, deliveryId };
}

export interface WantedPlan {
  unitGhs?: bigint;
  termDays?: number;
  priceUsdCents?: bigint;
  maintenanceUsdMicros?: bigint;
  termination?: "refund-unserved" | "forfeit";
  offeredGhs?: bigint | null;
  name?: string;
  now: Date;
}

/** A published plan. */
export async function createTestPlan(
  db: Db,
  wanted: WantedPlan,
): Promise<{ planId: string; versionId: string }> {
  const planId = randomUUID();
  const versionId = randomUUID();
  const { now } = wanted;
  const price = wanted.priceUsdCents ?? 10_000n;
  const maintenance = wanted.maintenanceUsdMicros ?? 30_000n;
  await system(db, "plans/draft", `plan-version:${versionId}`, now, async (tx, action) => {
    await tx.execute(sql`insert into plans (id, slug, created_at, action_id)
      values (${planId}, ${`plan-${planId}`}, ${at(now)}, ${action})`);
    await tx.execute(sql`insert into plan_versions (id, plan_id, version, name, unit_ghs, term_days, most_units, offered_ghs,
        price_usd_cents, machines_usd_cents, setup_usd_cents, margin_usd_cents, maintenance_usd_micros, energy_usd_micros,
        operation_usd_micros, maintenance_margin_usd_micros, termination, created_at, created_action_id)
      values (${versionId}, ${planId}, 1, ${wanted.name ?? "Plan"}, ${wanted.unitGhs ?? 1000n}, ${wanted.termDays ?? 30}, 100000,
        ${wanted.offeredGhs ?? null}, ${price}, ${price}, 0, 0, ${maintenance}, ${maintenance}, 0, 0,
        ${wanted.termination ?? "refund-unserved"}, ${at(now)}, ${action})`);
  });
  await system(db, "plans/publish", `plan-version:${versionId}`, now, async (tx, action) => {
    await tx.execute(sql`update plan_versions set state = 'published', published_at = ${at(now)}, published_action_id = ${action}
      where id = ${versionId}`);
  });
  return { planId, versionId };
}

/**
 * A contract as a customer buys it, who is given what it costs first. It starts with the next UTC day.
 * `coolingOff`: as a first purchase does, 24 hours later at the earliest.
 */
export async function createTestContract(
  db: Db,
  wanted: {
    customerId: string;
    versionId: string;
    quantity?: number;
    coin?: Coin;
    units?: bigint;
    coolingOff?: boolean;
    now: Date;
  },
): Promise<{ contractId: string; units: bigint; startsOn: string; plannedLastDay: string }> {
  const { customerId, versionId, quantity = 1, coin = "BTC", now, coolingOff = false } = wanted;
  const { rows } = await db.execute(
    sql`select unit_ghs, term_days, price_usd_cents from plan_versions where id = ${versionId}`,
  );
  const plan = rows[0] as { unit_ghs: string; term_days: number; price_usd_cents: string };
  const usdCents = BigInt(plan.price_usd_cents) * BigInt(quantity);
  const usdE8 = coin === "BTC" ? 100_000n * 10n ** 8n : 10n ** 8n;
  const units = wanted.units ?? unitsForUsdCents(usdCents, coin, usdE8);
  const priceId = await priceAt(db, coin, usdE8, now);
  const contractId = randomUUIDv7();
  const earliest = new Date(now.getTime() + (coolingOff ? day : 0));
  const startsOn =
    coolingOff && earliest.getTime() % day === 0 ? utcDay(earliest) : dayAfter(utcDay(earliest), 1);
  const plannedLastDay = dayAfter(startsOn, plan.term_days - 1);
  await creditTestDeposit(db, customerId, units, { asset: coin, now });
  await db.transaction(async (tx) => {
    const moves = { available: -units, contract_prepaid: units };
    const { transferId } = await postTransfer(
      tx,
      aTransfer({
        kind: "contract-purchase",
        ownerId: customerId,
        asset: coin,
        moves,
        key: `contract-purchase:${contractId}`,
        source: `contract:${contractId}`,
        day: utcDay(now),
        occurredAt: now,
      }),
    );
    const price = { usdCents, coin, units, priceId };
    const what = { versionId, quantity, ghs: BigInt(plan.unit_ghs) * BigInt(quantity), ...price };
    const when = { startsOn, plannedLastDay, coolingOffUntil: coolingOff ? earliest : null, now };
    await documentPurchase(tx, {
      contractId,
      customerId,
      transferId,
      termDays: plan.term_days,
      ...what,
      ...when,
    });
  });
  return { contractId, units, startsOn, plannedLastDay };
}

/** The contract behind a transfer that was posted in the same transaction, under the key `contract-purchase:<contractId>`. */
export async function documentPurchase(
  tx: Tx,
  bought: {
    contractId: string;
    customerId: string;
    transferId: string;
    versionId: string;
    quantity: number;
    ghs: bigint;
    termDays: number;
    usdCents: bigint;
    coin: Coin;
    units: bigint;
    priceId: string;
    startsOn: string;
    plannedLastDay: string;
    coolingOffUntil: Date | null;
    now: Date;
  },
): Promise<void> {
  const { contractId, customerId, versionId, quantity, usdCents, coin, units, now } = bought;
  const { coolingOffUntil } = bought;
  const quoteId = randomUUIDv7();
  await tx.execute(sql`insert into contract_quotes
    (id, order_id, customer_id, plan_version_id, quantity, usd_cents, coin, units, price_id, quoted_at, expires_at)
    values (${quoteId}, ${quoteId}, ${customerId}, ${versionId}, ${quantity}, ${usdCents}, ${coin}, ${units}, ${bought.priceId},
      ${at(now)}, ${at(new Date(now.getTime() + 30_000))})`);
  await tx.execute(sql`insert into contracts (id, customer_id, plan_version_id, quote_id, order_id, quantity, ghs, term_days, usd_cents, coin,
      units, transfer_id, terms_version, terms_sha256, bought_at, cooling_off_until, starts_on, planned_last_day)
    values (${contractId}, ${customerId}, ${versionId}, ${quoteId}, ${quoteId}, ${quantity}, ${bought.ghs},
      ${bought.termDays}, ${usdCents}, ${coin}, ${units}, ${bought.transferId}, '1.0.0', ${createHash("sha256").update("terms").digest()},
      ${at(now)}, ${coolingOffUntil ? at(coolingOffUntil) : null}, ${bought.startsOn}, ${bought.plannedLastDay})`);
}

/** A pool whose payouts count from a day on. */
export async function createTestPool(db: Db, { from }: { from: string }): Promise<string> {
  const poolId = randomUUID();
  const now = new Date(`${from}T00:00:00Z`);
  await system(db, "payouts/add-pool", `pool:${poolId}`, now, async (tx, action) => {
    await tx.execute(sql`insert into pools (id, name, format, counts_from, created_at, action_id)
      values (${poolId}, ${`Pool ${poolId}`}, 'other', ${from}, ${at(now)}, ${action})`);
  });
  return poolId;
}

/** What a pool paid for a day, recorded with a transaction id; above a bitcoin two people stand for it. */
export async function recordTestPayout(
  db: Db,
  wanted: { poolId: string; day: string; units: bigint; deliveredGhs: bigint; now?: Date },
): Promise<string> {
  const payoutId = randomUUIDv7();
  const now = wanted.now ?? new Date(`${dayAfter(wanted.day, 1)}T01:00:00Z`);
  await db.transaction(async (tx) => {
    const transferId = await postPayout(tx, payoutId, wanted, now);
    const [proposal, decision] = await twoPeople(
      db,
      tx,
      { ...wanted, payoutId, corrects: null },
      now,
    );
    await tx.execute(sql`insert into pool_payouts (id, pool_id, day, units, delivered_ghs, txid, state, proposed_at,
        proposal_action_id, decided_at, decision_action_id, transfer_id)
      values (${payoutId}, ${wanted.poolId}, ${wanted.day}, ${wanted.units}, ${wanted.deliveredGhs}, ${txid()}, 'recorded',
        ${at(now)}, ${proposal}, ${at(now)}, ${decision}, ${transferId})`);
  });
  return payoutId;
}

/** A payout that turned out to be another: the old one's transfer is reversed, the new one posted. */
export async function correctTestPayout(
  db: Db,
  payoutId: string,
  wanted: { units: bigint; deliveredGhs?: bigint; now: Date },
): Promise<string> {
  const { now } = wanted;
  const correctionId = randomUUIDv7();
  const { rows } = await db.execute(
    sql`select pool_id, day::text, delivered_ghs, transfer_id from pool_payouts where id = ${payoutId}`,
  );
  const old = rows[0] as {
    pool_id: string;
    day: string;
    delivered_ghs: string;
    transfer_id: string | null;
  };
  const deliveredGhs = wanted.deliveredGhs ?? BigInt(old.delivered_ghs);
  await db.transaction(async (tx) => {
    if (old.transfer_id !== null) {
      const key = `pool-payout-reversal:${payoutId}`;
      const reversal = { transferId: old.transfer_id, key, occurredAt: now, memo: "" };
      await reverseTransfer(tx, reversal);
    }
    const transferId = await postPayout(tx, correctionId, wanted, now);
    const said = { units: wanted.units, deliveredGhs, day: old.day, corrects: payoutId };
    const [proposal, decision] = await twoPeople(db, tx, { ...said, payoutId: correctionId }, now);
    await tx.execute(sql`insert into pool_payouts (id, pool_id, day, units, delivered_ghs, txid, corrects, correction_reason, state,
        proposed_at, proposal_action_id, decided_at, decision_action_id, transfer_id)
      values (${correctionId}, ${old.pool_id}, ${old.day}, ${wanted.units}, ${deliveredGhs}, ${txid()}, ${payoutId},
        'The pool said another amount', 'recorded', ${at(now)}, ${proposal}, ${at(now)}, ${decision}, ${transferId})`);
  });
  return correctionId;
}

/** A price of bitcoin with which a day can be worked out. */
export async function createTestPriceOfDay(
  db: Db,
  of: string,
  usdE8 = 100_000n * 10n ** 8n,
): Promise<string> {
  const observedAt = new Date(Date.parse(`${of}T23:58:00Z`));
  return createTestPrice(db, { asset: "BTC", usdE8, observedAt });
}

/** As `createTestNetwork`, read on that very day: PostgreSQL judges hashrate by nothing that was brought later. */
export async function readTestNetwork(owner: Pick<pg.Pool, "query">, of: string): Promise<void> {
  await owner.query(
    `insert into network_figures (observed_at, recorded_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
       fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
     values ($1, $1, 'mempool.example', false, 900000, 150000000000000, 1000000000000000000000, 312500000, 0, 3, 2, 1)`,
    [`${of}T23:50:00Z`],
  );
}

/** What such a network paid for a hashrate, in satoshis: the reference of the day. */
export const testReference = (ghs: bigint) =>
  referenceSats(ghs, 150_000_000_000_000n, 312_500_000n, 0n);

/** So much hashrate that such a network paid an amount for it. */
export const testHashrateOf = (sats: bigint) => (sats * 10n ** 12n) / testReference(10n ** 12n);

/** What the network was like on a day, as somebody said who was asked. */
export async function createTestNetwork(
  db: Db,
  of: string,
  { difficulty = 150_000_000_000_000n }: { difficulty?: bigint } = {},
): Promise<void> {
  await db.execute(sql`insert into network_figures (observed_at, host, simulated, height, difficulty, hashrate_hs, subsidy_sats,
      fees_per_block_sats, fastest_fee_sat_per_vb, half_hour_fee_sat_per_vb, hour_fee_sat_per_vb)
    values (${`${of}T23:50:00Z`}, 'mempool.example', false, 900000, ${difficulty}, 1000000000000000000000, 312500000, 0, 3, 2, 1)`);
}

let operators: Promise<[string, string]> | undefined;
let operatorsOf: Db | undefined;

async function twoPeople(
  db: Db,
  tx: Tx,
  said: {
    payoutId: string;
    day: string;
    units: bigint;
    deliveredGhs: bigint;
    corrects: string | null;
  },
  now: Date,
): Promise<[string, string]> {
  if (operatorsOf !== db) {
    operatorsOf = db;
    operators = Promise.all([createTestOperator(db), createTestOperator(db)]).then(
      ([first, second]) => [first.id, second.id],
    );
  }
  const [first, second] = (await operators) ?? ["", ""];
  const { payoutId, day: of, units, deliveredGhs, corrects } = said;
  const subject = `payout:${payoutId}`;
  const deliveredThs = writeThs(deliveredGhs);
  const detail = { day: of, btc: toDecimal(units, "BTC"), deliveredThs, corrects };
  const proposal = randomUUIDv7();
  const decision = randomUUIDv7();
  const row = { subject, detail, requestId: null, customerId: null, occurredAt: now };
  await tx.insert(auditLog).values([
    { ...row, id: proposal, operatorId: first, act: "payouts/vouch" },
    { ...row, id: decision, operatorId: second, act: "payouts/confirm" },
  ]);
  return [proposal, decision];
}

async function postPayout(
  tx: Tx,
  payoutId: string,
  { units }: { units: bigint },
  now: Date,
): Promise<string | null> {
  if (units === 0n) return null;
  const { transferId } = await postTransfer(
    tx,
    aTransfer({
      kind: "pool-payout",
      ownerId: "house",
      key: `pool-payout:${payoutId}`,
      source: `payout:${payoutId}`,
      moves: { custody: -units, pool_receivable: units },
      day: utcDay(now),
      occurredAt: now,
    }),
  );
  return transferId;
}

async function priceAt(db: Db, coin: Coin, usdE8: bigint, now: Date): Promise<string> {
  const { rows } = await db.execute(
    sql`select id from market_prices where asset = ${coin} and observed_at = ${at(now)}`,
  );
  const known = rows[0] as { id: string } | undefined;
  const id = known?.id ?? (await createTestPrice(db, { asset: coin, usdE8, observedAt: now }));
  await db.execute(sql`update market_prices set pinned = true where id = ${id}`);
  return id;
}

function system(
  db: Db,
  act: string,
  subject: string,
  now: Date,
  doIt: (tx: Tx, action: string) => Promise<void>,
): Promise<void> {
  return actAsSystem(db, { act, subject, detail: {}, now }, doIt);
}

function at(moment: Date): string {
  return moment.toISOString();
}

function txid(): string {
  return createHash("sha256").update(randomUUID()).digest("hex");
}

/** For tests whose days are not those of PostgreSQL's clock: what is entered is for sale, whatever pools saw lately. */
export async function sellWhatIsEntered(owner: Pick<pg.Pool, "query">): Promise<void> {
  await owner.query(`
    create or replace function sales_bounds() returns table (seen_ghs numeric, reserve_ppm integer) language sql stable as $$
      select 'Infinity'::numeric, coalesce((select r.reserve_ppm from fleet_reserves r order by r.number desc limit 1), 0) $$`);
}
