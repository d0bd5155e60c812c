import { creditSats } from "#core/mining/credit.ts";
import { maintenanceSats, usdMicros } from "#core/mining/maintenance.ts";
import { referenceSats } from "#core/mining/reference.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import type { Receipt } from "../queries.ts";

/** A receipt that shows no customer: of so much hashrate, not of a contract. */
export type SampleReceipt = Omit<Receipt, "contractId" | "customerId" | "startsOn" | "priceId"> & {
  feeState: "paid";
};

/** 100 TH/s, or 1 TH/s where less than that is shared by all. */
const sizesGhs = [100_000n, 1_000n];

/**
 * Reads the newest posted day that a pool paid and nobody corrected since, and works out what each 100 TH/s earned on it.
 * No contract is read: the day's own figures are everybody's. Null before the first such day.
 */
export async function findSampleReceipt(db: Db | Tx): Promise<SampleReceipt | null> {
  const [run] = await rowsOf(
    db,
    sql`
    select r.day::text, r.payout_sats, r.carried_sats, r.distributable_sats, r.delivered_ghs, r.active_ghs, r.shared_ghs, r.served_ppm,
           r.btc_usd_e8, r.price_observed_at, r.posted_at, r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats,
           plan.name, plan.version, plan.maintenance_usd_micros
      from mining_runs r
      join lateral (
        select v.name, v.version, m.maintenance_usd_micros
          from mining_run_plans m join plan_versions v on v.id = m.plan_version_id
         where m.day = r.day order by v.published_at desc, v.id limit 1) plan on true
     where r.state = 'posted' and r.payout_sats > 0 and not exists (select from mining_corrections f where f.day = r.day)
     order by r.day desc limit 1`,
  );
  const ghs = run && sizesGhs.find((size) => size <= big(run, "shared_ghs"));
  if (!run || !ghs) return null;
  const day = run["day"] ?? "";
  const paid = await rowsOf(
    db,
    sql`select p.id, o.name as pool, p.units, p.delivered_ghs, p.txid, p.statement_id, encode(s.sha256, 'hex') as sha256, p.decided_at
          from mining_run_payouts i join pool_payouts p on p.id = i.payout_id join pools o on o.id = p.pool_id
          left join pool_statements s on s.id = p.statement_id
         where i.day = ${day}::date order by o.name`,
  );
  const price = big(run, "btc_usd_e8");
  const perThs = big(run, "maintenance_usd_micros");
  const credit = creditSats(big(run, "distributable_sats"), ghs, big(run, "shared_ghs"));
  const fee = maintenanceSats(ghs, perThs, price);
  return {
    day,
    planName: run["name"] ?? "",
    planVersion: Number(run["version"]),
    ghs,
    creditSats: credit,
    creditUsdMicros: usdMicros(credit, price),
    feeSats: fee,
    feeUsdMicros: usdMicros(fee, price),
    feeState: "paid",
    feeClosedAt: null,
    maintenanceUsdMicros: perThs,
    payoutSats: big(run, "payout_sats"),
    carriedSats: big(run, "carried_sats"),
    distributableSats: big(run, "distributable_sats"),
    deliveredGhs: big(run, "delivered_ghs"),
    activeGhs: big(run, "active_ghs"),
    sharedGhs: big(run, "shared_ghs"),
    servedPpm: big(run, "served_ppm"),
    btcUsdE8: price,
    priceObservedAt: new Date(run["price_observed_at"] ?? 0),
    postedAt: new Date(run["posted_at"] ?? 0),
    reference: referenceOf(run, ghs),
    evidence: paid.map((each) => ({
      payoutId: each["id"] ?? "",
      pool: each["pool"] ?? "",
      units: big(each, "units"),
      deliveredGhs: big(each, "delivered_ghs"),
      txid: each["txid"] ?? null,
      statementId: each["statement_id"] ?? null,
      // A file's name can say whose account at the pool it is.
      statementName: null,
      statementSha256: each["sha256"] ?? null,
      recordedAt: new Date(each["decided_at"] ?? 0),
    })),
    corrections: [],
  };
}

function referenceOf(run: Row, ghs: bigint): Receipt["reference"] {
  const observedAt = run["network_observed_at"];
  if (!observedAt) return null;
  const [difficulty, subsidySats] = [big(run, "difficulty"), big(run, "subsidy_sats")];
  const feesPerBlockSats = big(run, "fees_per_block_sats");
  const sats = referenceSats(ghs, difficulty, subsidySats, feesPerBlockSats);
  return { observedAt: new Date(observedAt), difficulty, subsidySats, feesPerBlockSats, sats };
}

type Row = Record<string, string | null>;

async function rowsOf(db: Db | Tx, query: ReturnType<typeof sql>): Promise<Row[]> {
  return (await db.execute<Row>(query)).rows;
}

function big(row: Row, name: string): bigint {
  return BigInt(row[name] ?? 0);
}
