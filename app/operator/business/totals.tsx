import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import type { BusinessRow, Sum } from "#core/markets/business-figures.ts";
import styles from "./business.module.css";
import { amountOf, type ShownUnit, writeAmount } from "./figure-words.ts";

/** The figures of the whole period, those that matter most first. */
export function Totals({ total, unit }: { total: BusinessRow; unit: ShownUnit }) {
  const { booked, prepaid, energy, leftUsdMicros } = total;
  return (
    <dl className={styles.totals} data-inline="">
      <Total label="Sold, less refunds" sum={booked.sold} unit={unit} />
      <Total
        label="Earned"
        sum={booked.earned}
        unit={unit}
        evidence="/operator/mining"
        about="The days that were credited"
      />
      <Total label="Prepaid, not earned yet" sum={prepaid} unit={unit} />
      <Total
        label="Maintenance"
        sum={booked.maintenance}
        unit={unit}
        evidence="/operator/mining"
        about="The days that it was charged for"
      />
      {unit === "USD" ? (
        <>
          <div className={styles.total}>
            <dt>Energy</dt>
            <dd>
              {writeAmount(energy.usdMicros, "USD")}{" "}
              <Hallmark to="/operator/fleet/sites" label="The prices of energy" />
            </dd>
            {energy.lacksPrice ? (
              <dd className={styles.note}>Without sites that have no price yet</dd>
            ) : null}
          </div>
          <div className={styles.total} data-left="">
            <dt>Left after energy and network fees</dt>
            <dd>
              <Left usdMicros={leftUsdMicros} />
            </dd>
            <dd className={styles.note}>
              Of days that are over. Machines, rent, staff and taxes are not in it
            </dd>
          </div>
        </>
      ) : null}
    </dl>
  );
}

function Left({ usdMicros }: { usdMicros: BusinessRow["leftUsdMicros"] }) {
  if (usdMicros === "later") return "No day is over yet";
  return usdMicros === null ? "A price is missing" : writeAmount(usdMicros, "USD");
}

interface TotalProps {
  label: string;
  sum: Sum | null;
  unit: ShownUnit;
  evidence?: string;
  about?: string;
}

function Total({ label, sum, unit, evidence, about = "" }: TotalProps) {
  const amount = sum && amountOf(sum, unit);
  return (
    <div className={styles.total}>
      <dt>{label}</dt>
      <dd>
        {amount === null ? "Not known" : writeAmount(amount, unit)}{" "}
        {evidence ? <Hallmark to={evidence} label={about} /> : null}
      </dd>
      {sum && amount === null ? <dd className={styles.note}>A price is missing</dd> : null}
    </div>
  );
}
