import { Term } from "#app/ui/figures/term.tsx";
import { formatUsdMicros } from "#core/money.ts";
import styles from "./cost-bars.module.css";

interface CostBarsProps {
  /** Of one TH/s for one day, in millionths of a dollar. */
  price: bigint;
  maintenance: bigint;
  /** Null: no fresh price of bitcoin, or no figures of the network. */
  pays: bigint | null;
}

/** What one TH/s costs a day next to what the network pays for it today, as two bars of one scale. */
export function CostBars({ price, maintenance, pays }: CostBarsProps) {
  const costs = price + maintenance;
  const most = pays !== null && pays > costs ? pays : costs;
  const part = (micros: bigint) => (most === 0n ? 0 : Number((micros * 1000n) / most) / 10);
  return (
    <dl className={styles.bars}>
      <div>
        <dt>
          <span>
            Costs, per <Term of="ths">TH/s</Term> per day
          </span>
          <strong>{formatUsdMicros(costs, 4)}</strong>
        </dt>
        <dd>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className={styles.price} width={part(price)} height="8" />
            <rect
              className={styles.maintenance}
              x={part(price)}
              width={part(maintenance)}
              height="8"
            />
          </svg>
          <span>
            {formatUsdMicros(price, 4)} price + {formatUsdMicros(maintenance, 4)}{" "}
            <Term of="maintenance-fee">maintenance fee</Term>
          </span>
        </dd>
      </div>
      {pays === null ? null : (
        <div>
          <dt>
            <span>The network pays today</span>
            <strong>{formatUsdMicros(pays, 4)}</strong>
          </dt>
          <dd>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.pays} width={part(pays)} height="8" />
            </svg>
            <span>
              {pays < costs
                ? `${formatUsdMicros(costs - pays, 4)} less than it costs: a loss at today's figures`
                : `${formatUsdMicros(pays - costs, 4)} more than it costs, at today's figures`}
            </span>
          </dd>
        </div>
      )}
    </dl>
  );
}
