import { UsdMicros } from "#app/ui/figures/amount.tsx";
import type { ExpectedResult as Figures } from "#core/mining/expected-result.ts";
import { formatUsdMicros } from "#core/money.ts";
import styles from "./mining.module.css";

interface ExpectedResultProps {
  /** Null: no fresh price, or no figures of the network. */
  figures: Figures | null;
  quantity: number;
  slug: string;
}

/** What an order comes to, worst first, where one decides on it: by the scenarios of the plans' page. */
export function ExpectedResult({ figures, quantity, slug }: ExpectedResultProps) {
  const scenarios = <a href={`/plans#${slug}`}>See all scenarios</a>;
  if (!figures) {
    return (
      <p className={styles.note}>
        We cannot project a result now: there is no fresh price or no current difficulty.{" "}
        {scenarios}
      </p>
    );
  }
  const { earnsADay, costsADay, worst, best, losing, scenarios: all } = figures;
  const units = BigInt(quantity);
  return (
    <div className={styles.expected}>
      <p>
        At today's figures it earns about <strong>{aDay(earnsADay)}</strong> a day and costs{" "}
        <strong>{aDay(costsADay)}</strong> a day in maintenance.
      </p>
      <p>
        Result over the term, after the price:{" "}
        <strong>
          <UsdMicros micros={worst} signed /> to <UsdMicros micros={best} signed />
        </strong>
        {quantity > 1 ? (
          <>
            , that is <UsdMicros micros={worst / units} signed /> to{" "}
            <UsdMicros micros={best / units} signed /> per unit
          </>
        ) : null}
        .
      </p>
      <p className={styles.quiet}>
        {losing === all
          ? `All ${all} of our scenarios end with a loss. `
          : losing === 0
            ? `None of our ${all} scenarios ends with a loss. `
            : `${losing} of our ${all} scenarios end with a loss. `}
        This is arithmetic, not a forecast. {scenarios}
      </p>
    </div>
  );
}

/** A small order earns less than a cent a day. */
function aDay(micros: bigint): string {
  return formatUsdMicros(micros, micros < 1_000_000n ? 3 : 2);
}
