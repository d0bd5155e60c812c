import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import { listMonths } from "#core/months.ts";
import { textOfDay } from "#core/proof/day-digest.ts";
import { addDays, formatDay, formatMonth, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findSalesStop } from "#server/contracts/find-sales-stop.ts";
import { getSalesBounds } from "#server/fleet/get-sales-bounds.ts";
import { listFleetDays, sinceMachines } from "#server/fleet/list-fleet-days.ts";
import { listUnseenPayouts } from "#server/mining/receipts/list-evidence.ts";
import { listPoolCover, type PoolCover } from "#server/payouts/list-pool-cover.ts";
import { listPools, type Pool } from "#server/payouts/list-pools.ts";
import {
  daysListed,
  findFirstProofDay,
  findOwedDay,
  listProofDays,
} from "#server/proof/list-days.ts";
import { listThere } from "#server/reconciliation/list-there.ts";
import { listSignedCoins } from "#server/reconciliation/reserves/list-reserves.ts";
import { type Mark, withMarks } from "#server/withdrawals/bitcoin/with-marks.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/proof";
import { CapacitySeen } from "./capacity-seen.tsx";
import { CoinsSeen, type PoolShown } from "./coins-seen.tsx";
import { OwedThere } from "./owed-there.tsx";
import styles from "./proof.module.css";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Daily proof",
  description:
    "One hash a day over our ledger, the log of what our staff did and what we owe, carried into the Bitcoin chain. Keep one, and you can tell whether anyone rewrote what came before it.",
  path: "/proof",
});

const hashrateDays = 90;
const mostUnseen = 30;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const today = utcDay(now());
  const range = { from: addDays(today, -hashrateDays), until: addDays(today, -1) };
  const [days, first, fleet, bounds, pools, covers, unseen, owed, there, signed, stop] =
    await Promise.all([
      listProofDays(db),
      findFirstProofDay(db),
      listFleetDays(db, range),
      getSalesBounds(db),
      listPools(db),
      listPoolCover(db),
      listUnseenPayouts(db, mostUnseen),
      findOwedDay(db),
      listThere(db),
      listSignedCoins(db, now()),
      findSalesStop(db),
    ]);
  const [newest] = days;
  const text = newest ? textOfDay(newest) : "";
  return {
    days: await withMarks(db, days),
    daysListed,
    text,
    months: first && newest ? listMonths(first.slice(0, 7), newest.day.slice(0, 7)) : [],
    hashrate: { days: sinceMachines(fleet), ...bounds },
    coins: { pools: shownOf(pools, covers), unseen, mostUnseen },
    solvency: { owed, there, signed, stop },
  };
}

/** Pools that count, or did. */
function shownOf(pools: Pool[], covers: PoolCover[]): PoolShown[] {
  return pools.flatMap(({ id, name, watchUrl, countsFrom, countsUntil }) => {
    const cover = covers.find(({ poolId }) => poolId === id);
    if (!cover || (countsUntil !== null && countsUntil < countsFrom)) return [];
    return [{ ...cover, name, watchUrl }];
  });
}

export default function Proof({ loaderData }: Route.ComponentProps) {
  const { days, daysListed, text, months, hashrate, coins, solvency } = loaderData;
  return (
    <SitePage
      width="middle"
      title="Daily proof"
      lead="When a UTC day is over, we publish one hash, a fingerprint of data, over our ledger, over the log of what our staff did and over what we owe to customers, and the next batch of payments in Bitcoin carries it into the chain. Keep a hash, or a transaction that paid you, and you can tell whether anyone rewrote what came before it, us included."
    >
      <OwedThere {...solvency} />
      {days.length === 0 ? (
        <div className={styles.section}>
          <EmptyState drawing="seal">
            Nothing is published yet. The first hash comes within the hour.
          </EmptyState>
        </div>
      ) : (
        <>
          <section className={styles.section} aria-labelledby="check">
            <h2 id="check">How to check a hash</h2>
            <ol className={styles.steps}>
              <li>
                Copy a day's hash to a place that we cannot reach, a mail to yourself for instance,
                and compare it later with the same day here. If it is another one, ask us why, in
                public: a day's hash never changes, unless we lost the newest days and went back to
                a backup.
              </li>
              <li>
                A hash is the SHA-256 of one line: its kind, the day, the hash of the day before,
                number and hash of the newest seal of the ledger and of the newest act of staff, the
                root of the tree of what we owe with the number of its entries and its sums, and the
                newest Bitcoin block that our node had read. Each is written with its length, a
                colon and a comma; of what is missing there is the comma alone. This makes the
                newest:
                <CopyField text={`printf %s '${text}' | sha256sum`} label="command" />
              </li>
              <li>
                So the days form a chain. The files of the months, below, have every field:
                recompute the hashes from the day that you kept to the newest.
              </li>
              <li>
                The transaction that pays our customers in Bitcoin carries the newest hash into the
                chain, where we cannot rewrite it either. Any explorer shows it: an output of no
                value with <code>41534159</code> (ASAY) and the hash. If it paid you, you have the
                hash without keeping any. A <a href="/check-mark.py">script in Python</a> does steps
                2 and 3 and finds the hash in the transaction; that the transaction is in the chain
                you see in the explorer.
              </li>
              <li>
                The page of a transfer in your account names the first day whose hash includes it,
                and your browser recomputes that. Whether the books still give the hash takes the
                database: an auditor would run <code>npm run verify -- ledger</code>,{" "}
                <code>audit</code> and <code>marks</code>.{" "}
                <Link to="/contact">Ask for the result</Link>.
              </li>
            </ol>
            <p className={styles.note}>
              It does not prove that what was entered was true: for that, each figure has its{" "}
              <Link to="/about">own evidence</Link>.
            </p>
          </section>
          <section className={styles.section} aria-labelledby="days">
            <h2 id="days" className={styles.table}>
              The last {daysListed} days
            </h2>
            <DataTable
              label="Days with their hashes, newest first"
              dense
              rows={days}
              rowKey={({ day }) => day}
              columns={[
                {
                  head: "Day",
                  cell: ({ day }) => formatDay(day),
                  names: true,
                  className: styles.day,
                },
                {
                  head: "Hash",
                  cell: ({ day, digest, root, mark }) => (
                    <>
                      <CopyField text={digest} label={`hash of ${formatDay(day)}`} short />
                      {root === null ? (
                        <span className={styles.quiet}>made later, without what we owed</span>
                      ) : null}
                      {mark?.day === day ? (
                        <div className={phone.narrow}>
                          <Carrier mark={mark} />
                        </div>
                      ) : null}
                    </>
                  ),
                },
                {
                  head: "In Bitcoin",
                  className: phone.wide,
                  cell: ({ day, mark }) =>
                    mark?.day === day ? (
                      <Carrier mark={mark} />
                    ) : (
                      <span className={styles.quiet}>
                        {mark ? `with ${formatDay(mark.day)}` : "waits for a batch"}
                      </span>
                    ),
                },
              ]}
            />
            <h2 id="months" className={styles.next}>
              All days, by month
            </h2>
            <ul className={styles.months}>
              {months.map((month) => (
                <li key={month}>
                  <a href={`/proof/${month}.json`}>{formatMonth(month)}</a>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      <CoinsSeen {...coins} />
      <CapacitySeen {...hashrate} />
    </SitePage>
  );
}

/** The transaction that carries a day's hash. */
function Carrier({ mark: { day, txid, height } }: { mark: Mark }) {
  return (
    <>
      <span className={styles.quiet}>in block {height.toLocaleString("en-US")}, transaction</span>
      <CopyField text={txid} label={`transaction of ${formatDay(day)}`} short />
    </>
  );
}
