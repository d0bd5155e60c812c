import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { WatchLink } from "#app/ui/figures/watch-link.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { formatDay } from "#core/utc-day.ts";
import type { UnseenPayout } from "#server/mining/receipts/list-evidence.ts";
import type { PoolCover } from "#server/payouts/list-pool-cover.ts";
import styles from "./proof.module.css";

export interface PoolShown extends PoolCover {
  name: string;
  /** The pool's own page. */
  watchUrl: string | null;
}

interface CoinsSeenProps {
  pools: PoolShown[];
  /** The newest, and how many are shown at most. */
  unseen: UnseenPayout[];
  mostUnseen: number;
}

/** What our own node saw of each pool's coins, beside what the payouts say. */
export function CoinsSeen({ pools, unseen, mostUnseen }: CoinsSeenProps) {
  if (pools.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="coins">
      <h2 id="coins">Coins that pools paid</h2>
      <p className={styles.note}>
        Our Bitcoin node adds up what arrives from outside at each pool's addresses in our wallet:
        coins of 0.0001 BTC and more, in blocks with five on top, newly mined ones with 99. A payout
        is recorded once coins cover it and all that they covered before, or by two people who say
        why our node did not see them. Look an address up in any explorer: it also counts newer,
        smaller and our own coins.{" "}
        {pools.some(({ watchUrl }) => watchUrl)
          ? "A pool's own page shows what it measured and paid, where nothing is ours."
          : null}
      </p>
      {pools.map((pool) => (
        <Pool key={pool.poolId} pool={pool} />
      ))}
      {unseen.length === 0 ? null : (
        <details className={styles.figures}>
          <summary>Payouts that our node did not see</summary>
          <DataTable
            label={`${unseen.length < mostUnseen ? "Payouts" : `The newest ${mostUnseen} payouts`} that two people recorded without coins`}
            dense
            rows={unseen}
            rowKey={({ payoutId }) => payoutId}
            columns={[
              { head: "Day", cell: ({ day }) => formatDay(day), names: true },
              { head: "Pool", cell: ({ pool }) => pool },
              {
                head: "Paid",
                cell: ({ units }) => <Amount units={units} asset="BTC" />,
                align: "right",
              },
              {
                head: "Why",
                cell: ({ unseenReason, unseenBy }) => `${unseenReason} (${unseenBy})`,
              },
            ]}
          />
        </details>
      )}
    </section>
  );
}

function Pool({ pool }: { pool: PoolShown }) {
  const { name, watchUrl, addresses, coins, seen, covered, uncovered } = pool;
  return (
    <>
      <h3>{name}</h3>
      <Facts
        facts={[
          watchUrl !== null && { label: "Its own page", value: <WatchLink url={watchUrl} /> },
          {
            label: "Pays us at",
            value:
              addresses.length === 0
                ? "no address of our wallet is named yet"
                : addresses.map((address) => (
                    <CopyField key={address} text={address} label={`address of ${name}`} short />
                  )),
          },
          addresses.length > 0 && {
            label: "Coins that our node saw",
            value: (
              <>
                <Amount units={seen} asset="BTC" />, in {coins}
              </>
            ),
          },
          addresses.length > 0 && {
            label: "Payouts to cover",
            value: (
              <>
                <Amount units={covered} asset="BTC" /> <State pool={pool} />
              </>
            ),
          },
          uncovered > 0n && {
            label: "Payouts without coins",
            value: <Amount units={uncovered} asset="BTC" />,
          },
        ]}
      />
    </>
  );
}

function State({ pool: { covered, seen } }: { pool: PoolShown }) {
  if (covered === 0n) return null;
  if (covered <= seen) return <StatusBadge status="Covered" tone="good" />;
  return (
    <>
      <StatusBadge status="Missing" tone="bad" /> <Amount units={covered - seen} asset="BTC" />
    </>
  );
}
