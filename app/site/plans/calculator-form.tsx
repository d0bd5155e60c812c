import { formatAge } from "#app/ui/format-time.ts";
import { writeHundredths } from "#core/decimal.ts";
import { formatPrice } from "#core/price.ts";
import inputs from "../field-input.module.css";
import type { Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";
import { type CalculationField, ownFigures, type Typed } from "./read-calculation.ts";

interface CalculatorFormProps {
  plans: ReadonlyArray<{ slug: string; name: string }>;
  plan: { slug: string } | null;
  typed: Typed;
  errors: Partial<Record<CalculationField, string>>;
  observed: Observed;
}

/** A form that is sent by GET: what was assumed stands in the address, to be kept or shown to somebody. */
export function CalculatorForm({ plans, plan, typed, errors, observed }: CalculatorFormProps) {
  const { price, network, networkFresh } = observed;
  const field = (name: CalculationField) => ({ name, value: typed[name], error: errors[name] });
  const known = network && networkFresh ? network : null;
  const isOwn = plan === null;
  return (
    <form method="get" action="/calculator" className={styles.form}>
      <div className={styles.field}>
        <label htmlFor="calculator-plan">Plan</label>
        <select
          className={inputs.input}
          id="calculator-plan"
          name="plan"
          defaultValue={plan?.slug ?? ownFigures}
        >
          {plans.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
          <option value={ownFigures}>Figures of my own</option>
        </select>
      </div>
      <Field label="Units" {...field("quantity")} />
      <details className={styles.ownFigures} open={isOwn}>
        <summary>Figures of my own, of any offer</summary>
        <p>They count when the plan above is “Figures of my own”.</p>
        <Field label="Hashrate, TH/s" {...field("ths")} placeholder="100" />
        <Field label="Term, days" {...field("days")} placeholder="365" />
        <Field label="Price, dollars" {...field("cost")} placeholder="1200.00" />
        <Field
          label="Maintenance of one TH/s and day, dollars"
          {...field("fee")}
          placeholder="0.04"
        />
      </details>
      <fieldset>
        <legend>At the start</legend>
        <Field
          label="Bitcoin, dollars"
          {...field("price")}
          hint={
            price?.fresh
              ? `Left empty: ${formatPrice(price.usdE8)}, ${formatAge(new Date(0), new Date(price.ageMs))}`
              : "There is no fresh price: type one"
          }
        />
        <Field
          label="Difficulty, trillions"
          {...field("difficulty")}
          hint={
            known
              ? `Left empty: ${inTrillions(known.difficulty)}, ${formatAge(new Date(0), new Date(known.ageMs))}`
              : "It is not known at the moment: type one"
          }
        />
        <Field
          label="Fees per block, BTC"
          {...field("fees")}
          hint={known ? "Left empty: as observed" : "Left empty: none"}
        />
      </fieldset>
      <fieldset>
        <legend>What becomes of it</legend>
        <Field
          label="Difficulty, per cent every 14 days"
          {...field("growth")}
          hint="The network adjusts it about every 14 days"
        />
        <Field
          label="Bitcoin at the end of the term, per cent"
          {...field("change")}
          hint="-50 is half of today's price"
        />
        <Field
          label="Uptime of the machines, per cent"
          {...field("uptime")}
          hint="What is missing is served after the term"
        />
      </fieldset>
      <button type="submit">Calculate</button>
    </form>
  );
}

interface FieldProps {
  label: string;
  name: CalculationField;
  value: string;
  error: string | undefined;
  hint?: string;
  placeholder?: string;
}

function Field({ label, name, value, error, hint, placeholder }: FieldProps) {
  const id = `calculator-${name}`;
  const said = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        className={inputs.input}
        id={id}
        name={name}
        defaultValue={value}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        placeholder={placeholder}
        aria-invalid={error ? true : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
      />
      {said ? (
        <p id={`${id}-said`} className={error ? styles.error : styles.hint}>
          {said}
        </p>
      ) : null}
    </div>
  );
}

function inTrillions(difficulty: bigint): string {
  return writeHundredths(difficulty / 10_000_000_000n);
}
