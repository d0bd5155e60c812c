import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { dayInWords } from "./legal/day-in-words.ts";
import styles from "./network-facts.module.css";

export interface MiningNow {
  payout: {
    day: string;
    pool: string;
    units: bigint;
    txid: string | null;
    statementSha256: string | null;
  } | null;
  capacity: { capacityGhs: bigint; soldGhs: bigint; freeGhs: bigint } | null;
}

/** What a pool paid last, with what proves it, and what of the machines is sold and free. Absent while there is neither. */
export function MiningFacts({ payout, capacity }: MiningNow) {
  if (!payout && !capacity) return null;
  return (
    <section className={styles.strip} aria-label="Mining here">
      <dl className={styles.facts}>
        {payout ? (
          <Fact label={`Last payout, for ${dayInWords(payout.day)}`}>
            <Amount units={payout.units} asset="BTC" plain />
          </Fact>
        ) : null}
        {capacity ? (
          <>
            <Fact label="Sold for tomorrow">{formatGhs(capacity.soldGhs)}</Fact>
            <Fact label="Free">{formatGhs(capacity.freeGhs)}</Fact>
          </>
        ) : null}
      </dl>
      <p className={styles.evidence}>
        {payout ? (
          <span className={styles.proof}>
            {payout.pool},{" "}
            {payout.txid ? (
              <>
                transaction <code title={payout.txid}>{shortened(payout.txid)}</code>
              </>
            ) : (
              <>
                statement with SHA-256{" "}
                <code title={payout.statementSha256 ?? ""}>
                  {shortened(payout.statementSha256 ?? "")}
                </code>
              </>
            )}
          </span>
        ) : null}{" "}
        <Link to="/plans">Plans</Link>
      </p>
    </section>
  );
}

function shortened(hash: string): string {
  return `${hash.slice(0, 8)}…${hash.slice(-8)}`;
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
