import type { ReactNode } from "react";
import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { Term } from "#app/ui/figures/term.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { coverageWords } from "#core/payments/custody-count.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import type { Company } from "#server/content/content.ts";
import type { Coverage } from "#server/reconciliation/list-coverage.ts";
import { Seen } from "../plans/observed.tsx";
import styles from "./home-facts.module.css";
import home from "./home-section.module.css";
import { formatCount, formatHashrate } from "./network-words.ts";

/** What is known of the Bitcoin network, as the page is given it. */
export interface NetworkNow {
  height: number;
  difficulty: bigint;
  hashrateHs: bigint;
  subsidySats: bigint;
  feesPerBlockSats: bigint;
  host: string;
  simulated: boolean;
  observedAt: Date;
  ageMs: number;
}

interface HomeFactsProps {
  /** Null: it could not be read. */
  company: Company | null;
  coverage: Coverage[] | null;
  payout: {
    day: string;
    pool: string;
    units: bigint;
    txid: string | null;
    statementSha256: string | null;
  } | null;
  capacity: { soldGhs: bigint; freeGhs: bigint } | null;
  paying: {
    medianHours: number | null;
    p95Hours: number | null;
    oldestOpenAt: Date | null;
  } | null;
  network: NetworkNow | null;
}

/** Who is behind the site and what can be checked of it today. What has not been observed is absent. */
export function HomeFacts({ company, coverage, network, ...mining }: HomeFactsProps) {
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="facts">
      <h2 id="facts" className={home.heading}>
        Figures you can check
      </h2>
      <div className={styles.groups}>
        <Behind company={company} coverage={coverage} />
        <Mining {...mining} />
        {network ? <Network network={network} /> : null}
      </div>
    </section>
  );
}

function Behind({ company, coverage }: Pick<HomeFactsProps, "company" | "coverage">) {
  return (
    <Group title="The operator">
      {company ? (
        <Fact label="Operator">
          {company.name ? (
            <Link to="/about#operator">{company.name}</Link>
          ) : (
            <>
              Not named yet. <Link to="/about#operator">Do not deposit before it is</Link>
            </>
          )}
        </Fact>
      ) : null}
      {coverage?.map(({ asset, units, custodyUnits, asOf }) => (
        <Fact
          key={asset}
          label={`${asset} in our wallets, of what our records show`}
          note={`Counted ${formatUtc(asOf)}`}
        >
          {coverageWords(units, custodyUnits)}
        </Fact>
      ))}
      {coverage?.length === 0 ? (
        <Fact label="Wallets" note="Until then we cannot show that all coins are there">
          Not counted yet
        </Fact>
      ) : null}
    </Group>
  );
}

function Mining({
  payout,
  capacity,
  paying,
}: Omit<HomeFactsProps, "company" | "coverage" | "network">) {
  const hasWithdrawals =
    paying !== null && (paying.medianHours !== null || paying.oldestOpenAt !== null);
  if (!payout && !capacity && !hasWithdrawals) return null;
  return (
    <Group title="Mining and withdrawals">
      {payout ? (
        <Fact
          label={
            <>
              Last <Term of="payout">payout</Term>, for {formatDay(payout.day)}
            </>
          }
          note={<Proof {...payout} />}
        >
          <Amount units={payout.units} asset="BTC" plain />
        </Fact>
      ) : null}
      {capacity ? (
        <>
          <Fact
            label={
              <>
                <Term of="hashrate">Hashrate</Term> free tomorrow
              </>
            }
            note={<Link to="/plans">See the plans</Link>}
          >
            {formatGhs(capacity.freeGhs)}
          </Fact>
          <Fact label="Sold for tomorrow">{formatGhs(capacity.soldGhs)}</Fact>
        </>
      ) : null}
      {hasWithdrawals ? <Withdrawals {...paying} /> : null}
    </Group>
  );
}

function Withdrawals({
  medianHours,
  p95Hours,
  oldestOpenAt,
}: NonNullable<HomeFactsProps["paying"]>) {
  const most = p95Hours === null ? "" : `, 19 of 20 within ${p95Hours} h`;
  return (
    <Fact
      label="Withdrawals, from request to transaction"
      note={`Oldest open request: ${oldestOpenAt ? formatDay(utcDay(oldestOpenAt)) : "none"}. Last 90 days.`}
    >
      {medianHours === null ? "None sent yet" : `Half within ${medianHours} h${most}`}
    </Fact>
  );
}

function Network({ network }: { network: NetworkNow }) {
  const { height, difficulty, hashrateHs, subsidySats, feesPerBlockSats } = network;
  return (
    <Group title="The Bitcoin network">
      <Fact label="Last block">{height.toLocaleString("en-US")}</Fact>
      <Fact label="Network hashrate">{formatHashrate(hashrateHs)}</Fact>
      <Fact label={<Term of="difficulty" />}>{formatCount(difficulty)}</Fact>
      <Fact
        label={
          <>
            <Term of="block-reward">Reward per block</Term> incl. fees
          </>
        }
        note={
          <>
            {network.simulated ? <strong>Simulated. </strong> : null}Seen{" "}
            <Seen at={network.observedAt} ageMs={network.ageMs} /> · {network.host}
          </>
        }
      >
        <Amount units={subsidySats + feesPerBlockSats} asset="BTC" plain />
      </Fact>
    </Group>
  );
}

function Proof({ pool, txid, statementSha256 }: NonNullable<HomeFactsProps["payout"]>) {
  const proof = txid ?? statementSha256;
  return (
    <div className={styles.proof}>
      {pool}, {txid ? "transaction" : "SHA-256 of the statement"}
      {proof ? (
        <CopyField text={proof} label={txid ? "transaction id" : "hash of the statement"} short />
      ) : null}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

function Fact(props: { label: ReactNode; note?: ReactNode; children: ReactNode }) {
  const { label, note, children } = props;
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        <div className={styles.value}>{children}</div>
        {note ? <div className={styles.note}>{note}</div> : null}
      </dd>
    </div>
  );
}
