import { Link } from "react-router";
import { Age } from "#app/ui/figures/when.tsx";
import { CircleCheck, TriangleAlert } from "#app/ui/icons.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatDay } from "#core/utc-day.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import type { Heartbeat, Late } from "#server/console/today/list-late.ts";
import { healthTexts } from "../parts/source-health-texts.ts";
import styles from "./today.module.css";

interface LatePanelProps {
  late: Late[];
  heartbeats: Heartbeat[];
  now: Date;
}

/** What should have happened by now, and when everything that is asked again and again was asked last. */
export function LatePanel({ late, heartbeats, now }: LatePanelProps) {
  return (
    <Panel title="Late" flush>
      {late.length === 0 ? (
        <p className={styles.none}>
          <CircleCheck className={styles.good} size={16} aria-hidden="true" /> Nothing is late.
        </p>
      ) : (
        <ul className={layout.plain}>
          {late.map((each) => (
            <li key={keyOf(each)} className={styles.line}>
              <TriangleAlert className={styles.alert} size={16} aria-hidden="true" />
              <Link to={each.to} className={`${styles.link} ${styles.lineLink}`} data-row>
                {sayLate(each)}
              </Link>
              {each.since ? (
                <span className={styles.since}>
                  <Age at={each.since} now={now} />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {heartbeats.length > 0 ? (
        <p className={styles.beats}>
          {heartbeats.map(({ name, at }) => (
            <span key={name} className={styles.beat}>
              {beatWords[name]} <Age at={at} now={now} />
            </span>
          ))}
        </p>
      ) : null}
    </Panel>
  );
}

const beatWords: Record<Heartbeat["name"], string> = {
  worker: "Worker seen",
  bitcoin: "Bitcoin asked",
  ethereum: "Ethereum asked",
  exchanges: "Exchanges asked",
  pools: "Pools asked",
};

/** Two batches of a day may be late for the same reason. */
function keyOf(late: Late): string {
  return "id" in late ? `${late.kind} ${late.id}` : sayLate(late);
}

/** In one sentence, without its age. */
function sayLate(late: Late): string {
  switch (late.kind) {
    case "chain-silent":
      return late.since
        ? `${chainNames[late.chain]}: we no longer ask the node`
        : `${chainNames[late.chain]}: the node has never been asked`;
    case "chain":
      return `${chainNames[late.chain]} node: ${lower(healthTexts[late.health])}`;
    case "uncredited":
      return late.count === 1
        ? "1 confirmed payment is not credited"
        : `${late.count} confirmed payments are not credited`;
    case "prices-silent":
      return late.since
        ? "We no longer ask the exchanges for prices"
        : "The exchanges have never been asked for prices";
    case "prices":
      return `Exchanges give no price of ${late.assets}`;
    case "pool-silent":
      return `${late.pool}: we no longer ask the pool`;
    case "pool":
      return `${late.pool} does not answer`;
    case "coins-missing":
      return `${late.pool}: coins that cover its payouts are missing from the chain`;
    case "coins-unexplained":
      return `${late.pool}: coins have arrived that no payout explains`;
    case "day-without-payout":
      return `${formatDay(late.day)}: no payout from ${late.pools} yet`;
    case "day-not-posted":
      return `${formatDay(late.day)} is complete and not credited`;
    case "batch-overdue":
      return "Withdrawals were due before today";
    case "batch-unseen":
      return `Batch of ${formatDay(late.day)}: the node cannot be asked about it`;
    case "batch-unsent":
      return `Batch of ${formatDay(late.day)}: ordered to be sent, and not sent`;
    case "batch-unconfirmed":
      return `Batch of ${formatDay(late.day)}: sent, and in no block yet`;
    case "short":
      return `${late.asset}: a count found less than our ledger shows`;
    case "proof":
      return "No proof of what we owe was published";
    case "mails":
      return late.count === 1
        ? "1 e-mail waits to be sent"
        : `${late.count} e-mails wait to be sent`;
    case "jobs":
      return late.count === 1 ? "1 job has not started" : `${late.count} jobs have not started`;
  }
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
