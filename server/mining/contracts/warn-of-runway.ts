import { estimateRunway, runwayThresholds, thresholdOf } from "#core/mining/runway.ts";
import { utcDay } from "#core/utc-day.ts";
import { isSent } from "#server/notices/is-sent.ts";
import { flag, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import { listMovementTotals } from "../../ledger/list-movement-totals.ts";
import { findLastPrice } from "../../markets/find-fresh-price.ts";
import type { Notice } from "../../notices/notice.ts";
import { sendNoticeLater } from "../../notices/send-notice.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { listOpenContracts, type OpenContracts } from "./list-open-contracts.ts";

const atOnce = 200;
const first = "00000000-0000-0000-0000-000000000000";

/** Asks the worker to warn those whose balance will not cover maintenance for long. Of days that catch up, the last asks. */
export async function warnOfRunwayLater(tx: Tx, day: string, after = first): Promise<void> {
  await enqueue(tx, "mining/warn-of-runway", { day, after }, { key: "mining-runway" });
}

/**
 * Warns customers with a contract on the newest settled day, some of them at a time: once for each threshold, until they
 * deposit bitcoin or their contracts change. Who owes maintenance already is told by `notifyOfGracePeriods`.
 */
export async function warnOfRunway(
  db: Db,
  { day, after }: { day: string; after: string },
  now: Date,
): Promise<void> {
  const price = await findLastPrice(db, "BTC", now);
  if (!price) return;
  await db.transaction(async (tx) => {
    const rows = await selectNext(tx, day, after);
    const ids = rows.map(({ customerId }) => customerId);
    const open = Map.groupBy(
      await listOpenContracts(tx, ids, utcDay(now)),
      ({ customerId }) => customerId,
    );
    for (const row of rows) {
      const contracts = open.get(row.customerId) ?? [];
      if (!row.isBehind) await warn(tx, { row, contracts, day, btcUsdE8: price.usdE8 });
    }
    const last = ids.at(-1);
    if (last && ids.length === atOnce) await warnOfRunwayLater(tx, day, last);
  });
}

const columns = { customerId: text, available: units, ghs: units, mined: units, isBehind: flag };

/** Nobody, where another day was settled since: its own job warns. */
function selectNext(tx: Tx, day: string, after: string): Promise<RowOf<typeof columns>[]> {
  return readRows(
    tx,
    sql`
    with next as materialized (
      select customer_id from mining_customer_days
       where day = ${day}::date and customer_id > ${after}::uuid
         and not exists (select from mining_runs where state = 'posted' and day > ${day}::date)
       order by customer_id limit ${atOnce}
    )
    select next.customer_id, coalesce(b.balance, 0) as available, recent.ghs, recent.mined,
           exists (select from maintenance_arrears a where a.customer_id = next.customer_id and a.state = 'open') as is_behind
      from next
      left join ledger_accounts b on b.owner_id = next.customer_id and b.account = 'available' and b.asset = 'BTC'
     cross join lateral (
       select sum(d.ghs) as ghs, sum(d.credit_sats) as mined from mining_customer_days d
        where d.customer_id = next.customer_id and d.day between ${day}::date - 6 and ${day}::date) recent
     order by next.customer_id`,
    columns,
  );
}

async function warn(
  tx: Tx,
  known: { row: RowOf<typeof columns>; contracts: OpenContracts[]; day: string; btcUsdE8: bigint },
): Promise<void> {
  const { row, contracts, day, btcUsdE8 } = known;
  const { customerId, available: availableSats } = row;
  const days = [{ day, ghs: row.ghs, minedSats: row.mined }];
  const runway = estimateRunway({ availableSats, contracts, days, btcUsdE8 });
  const threshold = runway && thresholdOf(runway);
  if (!threshold || runway.days === null) return;
  const { endsOn, missingSats } = runway;
  const of = `${setOf(contracts)}:${await countTopUps(tx, customerId)}`;
  const notice = {
    kind: "maintenance-runway" as const,
    customerId,
    of,
    threshold,
    days: runway.days,
    availableSats,
    missingSats,
    endsOn,
  };
  // Whoever was told of three days need not hear of seven when the price has moved.
  const same: Notice[] = runwayThresholds
    .filter((each) => each <= threshold)
    .map((each) => ({ ...notice, threshold: each }));
  if (!(await isSent(tx, same))) await sendNoticeLater(tx, { customerId, notice });
}

/** Another text as soon as a contract is bought or ends. */
function setOf(contracts: readonly OpenContracts[]): string {
  const newest = contracts.map(({ contractId }) => contractId).sort();
  const count = contracts.reduce((sum, each) => sum + each.contracts, 0);
  return `${newest.at(-1)}:${count}`;
}

/** How often bitcoin came into the account, other than by mining. */
async function countTopUps(tx: Tx, customerId: string): Promise<number> {
  const totals = await listMovementTotals(tx, customerId, ["deposit", "goodwill", "subsidy"]);
  return totals.reduce((sum, { asset, entries }) => sum + (asset === "BTC" ? entries : 0), 0);
}
