import { Button } from "#app/ui/controls/button.tsx";
import { RangeField } from "#app/ui/controls/range-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField, type TextFieldProps } from "#app/ui/controls/text-field.tsx";
import { formatAge } from "#app/ui/figures/format-time.ts";
import { Term } from "#app/ui/figures/term.tsx";
import type { Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";
import type { Prefilled } from "./prefill.ts";
import { type CalculationField, ownFigures, type Typed } from "./read-calculation.ts";
import { scaleOf } from "./scale-of.ts";

interface CalculatorFormProps {
  plans: ReadonlyArray<{ slug: string; name: string }>;
  plan: { slug: string; mostUnits: number } | null;
  typed: Typed;
  errors: Partial<Record<CalculationField, string>>;
  observed: Observed;
  prefilled: Prefilled;
}

/** What a slider offers; what was typed into the address beyond it widens it. */
const scales = {
  quantity: { min: 1, max: 100, step: 1 },
  growth: { min: -5, max: 10, step: 0.5 },
  change: { min: -90, max: 200, step: 5 },
};

/** A form that is sent by GET: the address keeps what was assumed, to come back to or to share. */
export function CalculatorForm(props: CalculatorFormProps) {
  const { plans, plan, typed, errors, observed, prefilled } = props;
  const { price, network, networkFresh } = observed;
  const field = (name: CalculationField) => ({
    id: `calculator-${name}`,
    name,
    error: errors[name],
  });
  const text = (name: CalculationField) => ({ ...field(name), defaultValue: typed[name] });
  const seen = (name: keyof Prefilled) => ({
    ...field(name),
    defaultValue: typed[name] || prefilled[name],
  });
  const known = network && networkFresh ? network : null;
  const most = plan ? Math.min(plan.mostUnits, 1_000) : 100;
  return (
    <form method="get" action="/calculator" className={styles.form} data-calculator>
      <SelectField
        label="Plan"
        id="calculator-plan"
        name="plan"
        choices={[
          ...plans.map(({ slug, name }) => ({ value: slug, label: name })),
          { value: ownFigures, label: "Another offer: my own figures" },
        ]}
        defaultValue={plan?.slug ?? ownFigures}
      />
      <RangeField
        label="Units"
        {...field("quantity")}
        {...scaleOf(typed.quantity, { ...scales.quantity, max: Math.max(most, 2) })}
      />
      <RangeField
        label="Difficulty change, every 14 days"
        unit="%"
        signed
        {...field("growth")}
        {...scaleOf(typed.growth, scales.growth)}
      />
      <RangeField
        label="Bitcoin price change, over the term"
        unit="%"
        signed
        {...field("change")}
        {...scaleOf(typed.change, scales.change)}
      />
      <Button type="submit">Calculate</Button>
      <details className={styles.more} open={hasErrorIn(errors, exact)}>
        <summary>Today's figures and uptime</summary>
        <Figure
          label="Bitcoin price, dollars"
          {...seen("price")}
          description={
            price?.fresh
              ? `As ${price.sources} exchanges agreed ${ageWords(price.ageMs)}`
              : "There is no fresh price: enter one"
          }
        />
        <Figure
          label="Difficulty, trillions"
          {...seen("difficulty")}
          description={
            known ? `As seen ${ageWords(known.ageMs)}` : "Not known at the moment: enter it"
          }
        />
        <Figure
          label="Fees per block, BTC"
          {...seen("fees")}
          description={known ? "As seen in recent blocks" : "None, unless you enter them"}
        />
        <Figure
          label="Uptime of the machines, %"
          {...text("uptime")}
          description="What is missing is added to the end of the term"
        />
        <p>
          Explained: <Term of="difficulty" />, <Term of="block-reward" />, <Term of="uptime" />.
        </p>
      </details>
      <details className={styles.more} open={plan === null}>
        <summary>Figures of another offer</summary>
        <p>They count if the plan above is “Another offer”.</p>
        <Figure label="Hashrate of a unit, TH/s" {...text("ths")} placeholder="100" />
        <Figure label="Term, days" {...text("days")} placeholder="365" />
        <Figure label="Price, dollars" {...text("cost")} placeholder="1200.00" />
        <Figure
          label="Maintenance fee per TH/s per day, dollars"
          {...text("fee")}
          placeholder="0.04"
        />
      </details>
    </form>
  );
}

const exact = ["price", "difficulty", "fees", "uptime"] as const;

function hasErrorIn(
  errors: Partial<Record<CalculationField, string>>,
  names: readonly CalculationField[],
): boolean {
  return names.some((name) => errors[name] !== undefined);
}

function Figure(props: TextFieldProps) {
  return <TextField inputMode="decimal" autoComplete="off" maxLength={40} {...props} />;
}

function ageWords(ageMs: number): string {
  return formatAge(new Date(0), new Date(ageMs));
}
