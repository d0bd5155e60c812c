import { VisuallyHidden } from "@mantine/core";
import { Amount } from "#app/ui/amount.tsx";
import { formatAge, formatUtc } from "#app/ui/format-time.ts";
import styles from "./network-facts.module.css";
import { formatCount, formatHashrate } from "./network-words.ts";

/** What is known of the Bitcoin network, as the page is given it. */
export interface NetworkNow {
  height: number;
  difficulty: bigint;
  hashrateHs: bigint;
  subsidySats: bigint;
  feesPerBlockSats: bigint;
  source: string;
  simulated: boolean;
  observedAt: Date;
  ageMs: number;
}

/**
 * The Bitcoin network as last observed, with source and age. The page leaves it out while nothing has been
 * observed: no figure stands here without its evidence.
 */
export function NetworkFacts({ network }: { network: NetworkNow }) {
  const { height, difficulty, hashrateHs, subsidySats, feesPerBlockSats } = network;
  return (
    <section className={styles.strip} aria-label="The Bitcoin network now">
      <dl className={styles.facts}>
        <Fact label="Last block">{height.toLocaleString("en-US")}</Fact>
        <Fact label="Network hashrate">{formatHashrate(hashrateHs)}</Fact>
        <Fact label="Difficulty">{formatCount(difficulty)}</Fact>
        <Fact label="Paid per block">
          <Amount units={subsidySats + feesPerBlockSats} asset="BTC" plain />
        </Fact>
      </dl>
      <p className={styles.evidence}>
        {network.simulated ? <strong>Simulated.</strong> : null} Seen{" "}
        <time
          dateTime={network.observedAt.toISOString()}
          title={formatUtc(network.observedAt)}
          data-age-ms={network.ageMs}
        >
          {formatAge(new Date(0), new Date(network.ageMs))}
        </time>{" "}
        <span>
          <VisuallyHidden>from</VisuallyHidden>
          <span aria-hidden="true">·</span> {network.source}
        </span>
      </p>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
