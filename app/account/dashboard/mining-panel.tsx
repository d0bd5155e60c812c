import type { ReactNode } from "react";
import { Link } from "react-router";
import { RunwayLine } from "#app/account/mining/runway-line.tsx";
import { NetBars } from "#app/ui/charts/net-bars.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { Term } from "#app/ui/figures/term.tsx";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatAmount, formatUsdMicros } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Earned, MiningNow, NextEvent } from "./derive-mining.ts";
import styles from "./mining-panel.module.css";

interface MiningPanelProps {
  mining: MiningNow;
  /** Maintenance that waits for the balance. */
  unpaidSats: bigint;
}

/** What contracts brought, what runs, what comes next, and how long it is paid for. */
export function MiningPanel({ mining, unpaidSats }: MiningPanelProps) {
  const { newest, month, days, netSats, active, waiting, next } = mining;
  return (
    <Panel
      title="Mining"
      aside={
        <Link to="/account/mining" className={styles.all}>
          See your contracts
        </Link>
      }
      flush
    >
      <div className={styles.mining}>
        <dl className={styles.figures}>
          <Figure
            label={newest ? `Mined on ${formatDay(newest.day)} (UTC)` : "Mined so far"}
            mark={
              newest ? (
                <Hallmark to="/account/mining" label="The receipts of your contracts" />
              ) : null
            }
            note={newest ? <Net earned={newest} /> : "Your first day is not credited yet"}
          >
            <Amount units={newest?.minedSats ?? 0n} asset="BTC" />
          </Figure>
          <Figure
            label={`Mined in ${month.name}`}
            mark={
              <Hallmark to="/account/transactions" label="The entries of your account by day" />
            }
            note={<Net earned={month} />}
          >
            <Amount units={month.minedSats} asset="BTC" />
          </Figure>
          <Figure
            label={
              <>
                <Term of="hashrate" /> now
              </>
            }
            note={`${countOf(active.contracts)}${waiting > 0 ? `, ${waiting} not started` : ""}`}
          >
            {active.ghs === 0n ? "0 TH/s" : formatGhs(active.ghs)}
          </Figure>
          {next.length > 0 ? <Next events={next} /> : null}
        </dl>
        {days.length > 0 ? <EarningsBars days={days} netSats={netSats} /> : null}
      </div>
      <RunwayLine runway={mining.runway} unpaidSats={unpaidSats} />
    </Panel>
  );
}

/** Mined less maintenance, as plainly for a loss as for a gain. */
function Net({ earned: { minedSats, feeSats, netUsdMicros } }: { earned: Earned }) {
  const btc = withMinus(formatAmount(minedSats - feeSats, "BTC"));
  const usd = withMinus(formatUsdMicros(netUsdMicros));
  return (
    <>
      {btc} BTC after maintenance <span className={styles.whole}>({usd})</span>
    </>
  );
}

function countOf(contracts: number): string {
  return contracts === 1 ? "1 contract" : `${contracts} contracts`;
}

interface FigureProps {
  label: ReactNode;
  mark?: ReactNode;
  note: ReactNode;
  children: ReactNode;
}

function Figure({ label, mark, note, children }: FigureProps) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.figure}>
        {children}
        {mark}
      </dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  );
}

function Next({ events }: { events: NextEvent[] }) {
  return (
    <div>
      <dt className={styles.label}>Next</dt>
      {events.map((event) => (
        <dd key={event.kind} className={styles.event}>
          <EventWords event={event} />
        </dd>
      ))}
    </div>
  );
}

function EventWords({ event }: { event: NextEvent }) {
  const day = <time dateTime={event.day}>{formatDay(event.day)}</time>;
  if (event.kind === "credit") {
    return event.isOver ? (
      <>{day} is over and waits for the pool’s payout</>
    ) : (
      <>{day} is credited after 00:00 UTC, once the pool has paid</>
    );
  }
  const words = event.kind === "start" ? "starts on" : "ends on";
  const { contracts, contractId } = event;
  return (
    <>
      {contractId ? <Link to={`/account/mining/${contractId}`}>{contracts}</Link> : contracts}{" "}
      {words} {day}
    </>
  );
}

interface EarningsBarsProps {
  /** Oldest first. */
  days: readonly string[];
  /** Of each of them. */
  netSats: readonly bigint[];
}

/** Mined less maintenance of each UTC day, as bars, and its figures in a table. */
function EarningsBars({ days, netSats }: EarningsBarsProps) {
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.label}>Mined less maintenance, by UTC day</figcaption>
      <NetBars days={days} netSats={netSats} />
      <details className={styles.behind}>
        <summary>Figures by day</summary>
        <div className={styles.sheet}>
          <table>
            <thead>
              <tr>
                <th scope="col">UTC day</th>
                <th scope="col">Net, BTC</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day, at) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{withMinus(formatAmount(netSats[at] ?? 0n, "BTC"))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
