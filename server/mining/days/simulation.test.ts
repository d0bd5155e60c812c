import { expect, test } from "vitest";
import { listMovementTotals } from "#server/ledger/list-movement-totals.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { verifyBooks } from "#server/verify-books.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  correctTestPayout,
  createTestContract,
  createTestFleet,
  createTestPlan,
  createTestPool,
  dayAfter,
  sellWhatIsEntered,
} from "#tests/factories/mining.ts";
import { actOnServer } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { isLong } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { verifyMining } from "../verify-mining.ts";
import { postCorrections } from "./post-corrections.ts";

/**
 * Days of a small site, three years of them in a long run: prices, difficulty, outages, payouts, fees, purchases and top-ups come from one
 * seed. Beside it stands a second bookkeeper, written from the terms and fed with receipts alone: he imports none of the
 * engine's formulas and reads no sum of its.
 */
const { db, owner } = await testDatabase();
await sellWhatIsEntered(owner);
const first = "2023-01-01";
const days = isLong ? 1096 : 180;
const capacityGhs = 60_000n;
const random = seeded(20_230_101);

const million = 1_000_000n;
const hour = 3_600_000;
const dayOf = (nth: number) => dayAfter(first, nth);
const at = (day: string, time: string) => new Date(`${day}T${time}Z`);
/** How many hours of the next day go by before a day's evidence is there: all clocks stand still meanwhile. */
const late = seeded(20_230_102);
const delays = new Map(Array.from({ length: days }, (_, nth) => [dayOf(nth), late(23)]));
const workedAt = (day: string) =>
  new Date(Date.parse(dayAfter(day, 1)) + (delays.get(day) ?? 0) * hour);

interface Debt {
  day: string;
  boughtAt: number;
  contractId: string;
  sats: bigint;
  usdMicros: bigint;
  postedAt: number;
}

interface Book {
  balance: bigint;
  profitUsdMicros: bigint;
  debts: Debt[];
}

interface Share {
  customer: string;
  ghs: bigint;
  credit: bigint;
}

interface Deal {
  id: string;
  customer: string;
  units: bigint;
  term: bigint;
  served: bigint;
  forfeits: boolean;
  boughtAt: number;
  startsOn: string;
  ended: boolean;
}

/** What one contract's receipt of a day says: inputs only. */
interface Slip {
  contract_id: string;
  customer_id: string;
  ghs: string;
  payout: string;
  delivered: string;
  price: string;
  rate: string;
}

const books = new Map<string, Book>();
const deals = new Map<string, Deal>();
const history = new Map<
  string,
  { pot: bigint; shared: bigint; price: bigint; shares: Share[]; payout: bigint }
>();
let carried = 0n;
let cancellations = 0;
let endings = 0;
let refusals = 0;
let corrections = 0;
let freeDays = 0;

test("a site, day after day: balanced, funded, never oversold, and recomputable from receipts alone", async ({
  annotate,
}) => {
  const { plans, poolId } = await openSite();
  await writePaths(poolId);
  const customers: string[] = [];
  for (let nth = 0; nth < 6; nth += 1) {
    const { id } = await createTestCustomer(db, { now: at(first, "00:00:00") });
    customers.push(id);
    books.set(id, { balance: 0n, profitUsdMicros: 0n, debts: [] });
  }
  for (let nth = 0; nth < days; nth += 1) {
    const day = dayOf(nth);
    await liveADay(day, customers, plans);
    await work(day);
    await bookADay(day);
    if (nth > 0 && nth % 30 === 0)
      await correctSomeDay(dayOf(nth - 1 - random(nth - 1)), at(dayAfter(day, 1), "23:30:00"));
    await expectAgreement(day);
  }
  for (const id of customers) {
    const totals = await findMiningTotals(db, id);
    expect(totals.profitUsdMicros).toBe(books.get(id)?.profitUsdMicros);
    expect(totals).toMatchObject(await totalsOfLedger(id));
  }
  const checks = [...(await verifyBooks(db)), ...(await verifyMining(db))];
  // What this test writes by its own SQL, past the acts.
  const own = /whose documents are asked for$|^every payout in the ledger/;
  expect(checks.filter(({ holds, claim }) => !holds && !own.test(claim))).toEqual([]);
  await annotate(
    `${deals.size} contracts bought, ${refusals} refused for want of hashrate, ${endings} served, ${cancellations} cancelled, ${corrections} corrections, ${freeDays} days of contracts without a fee`,
  );
  // A simulation in which nothing happens would prove nothing.
  expect(Math.min(refusals, endings, cancellations, corrections, freeDays)).toBeGreaterThan(2);
});

/**
 * The engine plans each statement anew, for days of a million contracts. With a thousand days of ten, planning is most of
 * the time and no part of what is proven.
 */
async function planOnce(): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    "select oid::regprocedure::text as name from pg_proc where 'plan_cache_mode=force_custom_plan' = any (proconfig)",
  );
  const alter = ({ name }: { name: string }) =>
    `alter function ${name} set plan_cache_mode = force_generic_plan`;
  await owner.query(rows.map(alter).join(";"));
}

async function openSite() {
  await planOnce();
  const now = at(dayAfter(first, -2), "10:00:00");
  await createTestFleet(db, { ghs: capacityGhs, from: dayAfter(first, -10) });
  const plans: { versionId: string; forfeits: boolean }[] = [];
  for (const [termDays, maintenance, forfeits, unitGhs] of [
    [30, 30_000n, false, 1_000n],
    [90, 45_000n, true, 1_000n],
    [365, 38_000n, false, 1_000n],
    // Without maintenance, and so little hashrate that a day's fee rounds to nothing or to a satoshi.
    [60, 0n, true, 1_000n],
    [45, 30_000n, false, 10n],
  ] as const) {
    const termination = forfeits ? ("forfeit" as const) : ("refund-unserved" as const);
    const terms = { termDays, maintenanceUsdMicros: maintenance, unitGhs, termination };
    const plan = { ...terms, priceUsdCents: 1_003n, now } as const;
    plans.push({ versionId: (await createTestPlan(db, plan)).versionId, forfeits });
  }
  return { plans, poolId: await createTestPool(db, { from: first }) };
}

/** All prices, and all that the pool will have paid: rising difficulty, a price that wanders, outages. */
async function writePaths(poolId: string): Promise<void> {
  const rows: { day: string; usd_e8: string; units: string; ghs: string }[] = [];
  let price = 30_000n;
  let perThs = 90n;
  for (let nth = 0; nth < days; nth += 1) {
    price = (price * BigInt(9_700 + random(606))) / 10_000n + 1n;
    if (nth % 14 === 0) perThs = (perThs * BigInt(9_600 + random(700))) / 10_000n + 1n;
    const delivered = deliveredGhs(random(20));
    const paid = (delivered * perThs * BigInt(950 + random(100))) / million;
    const units = random(50) === 0 ? 0n : paid;
    const usd = `${price * 10n ** 8n}`;
    rows.push({ day: dayOf(nth), usd_e8: usd, units: `${units}`, ghs: `${delivered}` });
  }
  const read =
    "json_to_recordset($1::json) x (day date, usd_e8 numeric, units numeric, ghs numeric)";
  const connection = await owner.connect();
  const write = (statement: string, ...more: string[]) =>
    connection.query(statement, [JSON.stringify(rows), ...more]);
  await connection.query("set timezone = 'UTC'; begin");
  await write(`insert into market_prices (id, asset, usd_e8, observed_at, agreed, simulated)
    select md5('price ' || day)::uuid, 'BTC', usd_e8, day + interval '23:58', 1, false from ${read}`);
  await write(`insert into market_quotes (price_id, source, host, usd_e8, quoted_at, verdict)
    select md5('price ' || day)::uuid, 'kraken', 'api.kraken.com', usd_e8, day + interval '23:58', 'agreed' from ${read}`);
  await write(`select post_transfer(md5('transfer ' || day)::uuid, 'pool-payout:' || md5('payout ' || day)::uuid, 'pool-payout',
      '00000000-0000-0000-0000-000000000000', day, day + interval '25 hours', 'test', '',
      array[('custody', 'BTC', -units), ('pool_receivable', 'BTC', units)]::ledger_leg[]) from ${read} where units > 0`);
  await write(
    `insert into pool_statements (id, pool_id, source, name, content, sha256, received_at, asked_host)
     select md5('statement ' || day)::uuid, $2, 'api', 'rewards', said, sha256(said), day + interval '25 hours', 'pool.braiins.com'
       from ${read} cross join convert_to(day::text, 'UTF8') said`,
    poolId,
  );
  await write(
    `insert into pool_payouts (id, pool_id, day, units, delivered_ghs, statement_id, state, proposed_at, decided_at, transfer_id)
     select md5('payout ' || day)::uuid, $2, day, units, ghs, md5('statement ' || day)::uuid, 'recorded', day + interval '25 hours',
            day + interval '25 hours', case when units > 0 then md5('transfer ' || day)::uuid end from ${read}`,
    poolId,
  );
  await connection.query("commit");
  connection.release();
}

function deliveredGhs(outage: number): bigint {
  if (outage === 0) return 0n;
  return outage < 3 ? BigInt(random(40_000)) : BigInt(50_000 + random(10_000));
}

/** Noon: somebody buys, tops up, puts money aside; a fee is announced to change. */
async function liveADay(
  day: string,
  customers: string[],
  plans: { versionId: string; forfeits: boolean }[],
): Promise<void> {
  const now = at(day, "12:00:00");
  const customer = customers[random(customers.length)] ?? "";
  const ledger = bookOf(customer);
  if (random(9) === 0) await buy(customer, plans[random(plans.length)], now);
  if (random(15) === 0) {
    const units = BigInt(100 + random(5_000));
    await creditTestDeposit(db, customer, units, { now });
    ledger.balance += units;
  }
  // Below the minimum withdrawal there is no inactivity fee: that has a test of its own.
  if (ledger.balance > 60_000n) {
    const units = ledger.balance - 1_000n;
    const spent = { available: -units, conversion: units };
    const fact = { ownerId: customer, occurredAt: now, day, moves: spent };
    await postTransfer(db, aTransfer({ kind: "conversion", ...fact }));
    ledger.balance = 1_000n;
  }
  if (random(70) === 0) {
    const versionId = plans[random(plans.length)]?.versionId;
    const usdMicros = 25_000 + random(40_000);
    const act = "contracts/announce-maintenance";
    const actionId = await actOnServer(owner, act, `plan-version:${versionId}`);
    await owner.query(
      `insert into maintenance_changes (id, plan_version_id, effective_from, usd_micros, reason, announced_at, action_id)
       values (uuidv7(), $1, $2, $3, 'Energy costs another price', $4, $5) on conflict do nothing`,
      [versionId, dayAfter(day, 9), usdMicros, now, actionId],
    );
  }
}

async function buy(
  customer: string,
  plan: { versionId: string; forfeits: boolean } | undefined,
  now: Date,
): Promise<void> {
  if (!plan) return;
  const quantity = 1 + random(20);
  const units = 10_030n * BigInt(quantity);
  const { versionId } = plan;
  try {
    const wanted = { customerId: customer, versionId, quantity, units, now };
    const { contractId, startsOn, plannedLastDay } = await createTestContract(db, wanted);
    const term = BigInt((Date.parse(plannedLastDay) - Date.parse(startsOn)) / 86_400_000 + 1);
    const deal = { id: contractId, customer, units, term, startsOn, boughtAt: now.getTime() };
    deals.set(contractId, { ...deal, served: 0n, forfeits: plan.forfeits, ended: false });
  } catch (error) {
    // The coins had arrived; the contract was more than there was to sell.
    expect(String((error as Error).cause)).toContain("hashrate");
    bookOf(customer).balance += units;
    refusals += 1;
  }
}

/** The next day: the run when the evidence is there, the clocks at its end. */
async function work(day: string): Promise<void> {
  const [run, clocks] = [
    workedAt(day).toISOString(),
    at(dayAfter(day, 1), "23:00:00").toISOString(),
  ];
  await db.$client.query(`
    select mining_open_day('${day}', '${run}', null);
    select mining_post_chunk('${day}', '${run}');
    select mining_note_inactivity('${day}', '${run}');
    select mining_close_day('${day}', '${run}');
    select mining_settle_endings('${run}');
    select mining_collect_arrears('${clocks}', array(select distinct customer_id from maintenance_arrears where state = 'open'));
    select mining_expire_clocks('${clocks}');
    select mining_settle_endings('${clocks}')`);
}

/** The second bookkeeper's work, from the day's receipts. */
async function bookADay(day: string): Promise<void> {
  const { rows } = await owner.query<Slip>(
    `select d.contract_id, d.customer_id, d.ghs, p.units as payout, p.delivered_ghs as delivered, r.btc_usd_e8 as price,
            f.maintenance_usd_micros as rate
       from mining_runs r
       join mining_run_payouts i on i.day = r.day join pool_payouts p on p.id = i.payout_id
       left join mining_contract_days d on d.day = r.day
       left join contracts c on c.id = d.contract_id
       left join mining_run_plans f on f.day = r.day and f.plan_version_id = c.plan_version_id
      where r.day = $1`,
    [day],
  );
  const [head] = rows;
  if (!head) throw new Error("the day was not worked out");
  const slips = rows.filter((slip) => slip.contract_id !== null);
  const running = [...deals.values()].filter((deal) => !deal.ended && deal.startsOn <= day);
  expect(new Set(slips.map((slip) => slip.contract_id))).toEqual(
    new Set(running.map((deal) => deal.id)),
  );
  const sold = slips.reduce((sum, slip) => sum + BigInt(slip.ghs), 0n);
  const delivered = BigInt(head.delivered);
  const shared = delivered > sold ? delivered : sold;
  const pot = BigInt(head.payout) + carried;
  const price = BigInt(head.price);
  let left = pot;
  const shares: Share[] = [];
  for (const slip of slips) {
    const credit = (pot * BigInt(slip.ghs)) / shared;
    left -= credit;
    shares.push({ customer: slip.customer_id, ghs: BigInt(slip.ghs), credit });
    receive(slip, credit, price, day);
  }
  left -= sold === 0n ? pot : (pot * (shared - sold)) / shared;
  carried = left;
  history.set(day, { pot, shared, price, shares, payout: BigInt(head.payout) });
  const served = delivered >= sold ? million : (delivered * million) / sold;
  for (const ledger of books.values()) payDebts(ledger);
  for (const deal of running) {
    deal.served += served;
    if (deal.served >= deal.term * million) {
      deal.ended = true;
      endings += 1;
    }
  }
  expireDebts(day);
}

/** A contract's credit, and its fee, which waits for its turn. Of a fee that rounds to nothing, nothing is owed. */
function receive(slip: Slip, credit: bigint, price: bigint, day: string): void {
  const ledger = bookOf(slip.customer_id);
  const sats = (BigInt(slip.ghs) * BigInt(slip.rate) * 10_000_000n) / price;
  ledger.balance += credit;
  ledger.profitUsdMicros += worth(credit, price);
  if (sats === 0n) {
    freeDays += 1;
    return;
  }
  const boughtAt = deals.get(slip.contract_id)?.boughtAt ?? 0;
  const usdMicros = worth(sats, price);
  const debt = { day, boughtAt, contractId: slip.contract_id, sats, usdMicros };
  ledger.debts.push({ ...debt, postedAt: workedAt(day).getTime() });
}

/** Oldest day first, of a day the oldest contract first, until one is not covered. */
function payDebts(ledger: Book): void {
  ledger.debts.sort(
    (a, b) =>
      Date.parse(a.day) - Date.parse(b.day) ||
      a.boughtAt - b.boughtAt ||
      (a.contractId < b.contractId ? -1 : 1),
  );
  for (let [debt] = ledger.debts; debt && debt.sats <= ledger.balance; [debt] = ledger.debts) {
    ledger.balance -= debt.sats;
    ledger.profitUsdMicros -= debt.usdMicros;
    ledger.debts.shift();
  }
}

/**
 * A contract whose oldest unpaid fee has waited seventy-two hours is cancelled, and what it owes lapses. The hours of each
 * day before the evidence of the day before was there do not count.
 */
function expireDebts(today: string): void {
  const now = at(dayAfter(today, 1), "23:00:00").getTime();
  for (const ledger of books.values()) {
    const expired = new Set(
      ledger.debts
        .filter(({ day, postedAt }) => now - postedAt - stoodSince(day, today) >= 72 * hour)
        .map(({ contractId }) => contractId),
    );
    ledger.debts = ledger.debts.filter(({ contractId }) => !expired.has(contractId));
    for (const id of expired) {
      const deal = deals.get(id);
      if (!deal || deal.ended) continue;
      deal.ended = true;
      cancellations += 1;
      const rest = deal.units - (deal.units * (deal.served / million)) / deal.term;
      if (!deal.forfeits) ledger.balance += rest;
    }
  }
}

/** For how long something was awaited after a day was worked out, until another one was. */
function stoodSince(day: string, until: string): number {
  let hours = 0;
  for (let next = dayAfter(day, 1); next <= until; next = dayAfter(next, 1)) {
    hours += delays.get(next) ?? 0;
  }
  return hours * hour;
}

/** The pool finds that it had paid another amount for an earlier day. */
async function correctSomeDay(day: string, now: Date): Promise<void> {
  const known = history.get(day);
  if (!known) return;
  const units = (known.payout * BigInt(300 + random(1_400))) / 1_000n;
  const { rows } = await owner.query("select id from current_payouts($1)", [day]);
  await correctTestPayout(db, rows[0].id, { units, now });
  await postCorrections(db, now);
  corrections += 1;
  known.pot += units - known.payout;
  known.payout = units;
  const changes = new Map<string, bigint>();
  for (const share of known.shares) {
    const credit = (known.pot * share.ghs) / known.shared;
    changes.set(share.customer, (changes.get(share.customer) ?? 0n) + credit - share.credit);
    share.credit = credit;
  }
  for (const [customer, change] of changes) {
    const ledger = bookOf(customer);
    // What is not there any more is not taken.
    const moved = change < -ledger.balance ? -ledger.balance : change;
    ledger.balance += moved;
    ledger.profitUsdMicros += worth(moved, known.price);
  }
}

let lastNumber = "0";

/** One statement: what was posted since yesterday balances, is funded and not oversold; and the balances. */
async function expectAgreement(day: string): Promise<void> {
  const { rows } = await owner.query(
    `select (select count(*)::int from (select from ledger_entries where transfer_number > $2 group by asset having sum(units) <> 0) x) as unbalanced,
            (select count(*)::int from fleet_days where sold_ghs > capacity_ghs) as oversold,
            (select count(*)::int from ledger_accounts where balance < 0) as below,
            (select credited_sats <= distributable_sats from mining_runs where day = $1) as funded,
            (select max(number)::text from ledger_transfers) as last,
            (select json_object_agg(owner_id, balance::text) from ledger_accounts where account = 'available' and asset = 'BTC') as balances`,
    [day, lastNumber],
  );
  const [{ last, balances, ...counts }] = rows;
  lastNumber = last;
  expect({ day, ...counts }).toEqual({ day, unbalanced: 0, oversold: 0, below: 0, funded: true });
  for (const [id, { balance }] of books) {
    expect(`${day} ${id} ${balances?.[id] ?? 0}`).toBe(`${day} ${id} ${balance}`);
  }
}

function bookOf(customer: string): Book {
  const book = books.get(customer);
  if (!book) throw new Error(`no customer ${customer}`);
  return book;
}

/** Satoshi in millionths of a dollar, towards zero. */
function worth(sats: bigint, priceE8: bigint): bigint {
  return (sats * priceE8) / 10n ** 10n;
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
/** The same totals as the ledger's entries add up to. */
async function totalsOfLedger(customerId: string) {
  const mined = ["mining-credit", "mining-correction"] as const;
  const fees = ["maintenance-fee", "inactivity-fee"] as const;
  const contracts = ["contract-purchase", "contract-refund"] as const;
  const sum = async (kinds: Parameters<typeof listMovementTotals>[2], asset: string) =>
    (await listMovementTotals(db, customerId, kinds))
      .filter((each) => each.asset === asset)
      .reduce((units, each) => units + each.units, 0n);
  const paid = -(await sum(contracts, "BTC"));
  return {
    minedSats: await sum(mined, "BTC"),
    feesSats: -(await sum(fees, "BTC")),
    paidUnits: paid === 0n ? {} : { BTC: paid },
  };
}

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
