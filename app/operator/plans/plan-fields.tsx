import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import { parseDecimal, writeDecimal } from "#core/decimal.ts";
import { formatHashrate, parseThs } from "#core/mining/hashrate.ts";
import type { OutlookTerms } from "#core/mining/plan-outlook.ts";
import { formatUsd } from "#core/money.ts";
import type { EnergyCost } from "#server/fleet/list-energy-prices.ts";
import { Pair } from "../parts/act-form.tsx";
import styles from "./plan.module.css";
import { OutlookInShort, type OutlookStart } from "./plan-outlook.tsx";

type Typed = FormFields<TermName>["typed"];

export type TermName =
  | "name"
  | "unit"
  | "termDays"
  | "mostUnits"
  | "offered"
  | "machines"
  | "setup"
  | "margin"
  | "energy"
  | "operation"
  | "maintenanceMargin"
  | "termination";

/** The terms of a plan. Price and fee are what their parts come to, as one types. */
export function PlanFields({
  form,
  energyCosts,
  start,
}: {
  form: FormFields<TermName>;
  energyCosts: EnergyCost[];
  start: OutlookStart | null;
}) {
  const typed = readTerms(form.typed);
  return (
    <>
      <TextField label="Name" description="Customers read it" {...form.field("name")} />
      <Pair>
        <TextField label="One unit, TH/s" inputMode="decimal" {...form.field("unit")} />
        <TextField label="Term, days" inputMode="numeric" {...form.field("termDays")} />
      </Pair>
      <Pair>
        <TextField
          label="Units in one purchase, at most"
          description="A whole number"
          inputMode="numeric"
          {...form.field("mostUnits")}
        />
        <TextField
          label="Offered in all, TH/s"
          description="Empty: whatever is free"
          inputMode="decimal"
          {...form.field("offered")}
        />
      </Pair>
      <fieldset className={styles.group}>
        <legend>Price of one unit for the whole term, in dollars</legend>
        <Pair>
          <TextField label="Machines" inputMode="decimal" {...form.field("machines")} />
          <TextField label="Setting up" inputMode="decimal" {...form.field("setup")} />
          <TextField label="Your margin" {...form.field("margin")} />
        </Pair>
        <Sum
          label="Price of one unit"
          of={[form.typed.machines, form.typed.setup, form.typed.margin]}
          places={2}
          write={formatUsd}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Maintenance of one TH/s for one day, in dollars</legend>
        <Pair>
          <TextField label="Energy" inputMode="decimal" {...form.field("energy")} />
          <TextField label="Operation" inputMode="decimal" {...form.field("operation")} />
          <TextField label="Your margin" {...form.field("maintenanceMargin")} />
        </Pair>
        <EnergyCosts costs={energyCosts} />
        <Sum
          label="Maintenance per TH/s and day"
          of={[form.typed.energy, form.typed.operation, form.typed.maintenanceMargin]}
          places={6}
          write={(micros) => `$${writeDecimal(micros, 6)}`}
        />
      </fieldset>
      {typed && start ? <OutlookInShort terms={typed} start={start} /> : null}
      <SelectField
        label="When a contract is cancelled for unpaid maintenance"
        choices={[
          { value: "refund-unserved", label: "Refund the days not served" },
          { value: "forfeit", label: "Keep the price" },
        ]}
        {...form.field("termination")}
      />
    </>
  );
}

/** What decides the outlook, as far as it is typed; null: something is missing or wrong. */
function readTerms(typed: Typed): OutlookTerms | null {
  const sum = (names: TermName[], places: number) =>
    names.reduce<bigint | null>((total, name) => {
      const part = readPart(typed[name], places);
      return total === null || part === null ? null : total + part;
    }, 0n);
  const unitGhs = parseThs(typed.unit ?? "");
  const termDays = Number(typed.termDays);
  const priceUsdCents = sum(["machines", "setup", "margin"], 2);
  const maintenanceUsdMicros = sum(["energy", "operation", "maintenanceMargin"], 6);
  const isWhole = Number.isInteger(termDays) && termDays >= 1 && termDays <= 1825;
  if (!unitGhs || !isWhole || priceUsdCents === null || maintenanceUsdMicros === null) return null;
  if (priceUsdCents <= 0n || maintenanceUsdMicros < 0n) return null;
  return { unitGhs, termDays, priceUsdCents, maintenanceUsdMicros };
}

/** What energy costs today where machines run: what the part for it can rest on. */
function EnergyCosts({ costs }: { costs: EnergyCost[] }) {
  if (costs.length === 0) {
    return (
      <p className={styles.second}>
        Nothing can be suggested for energy: no site has machines and a price of energy yet.
      </p>
    );
  }
  return (
    <div className={styles.second}>
      Energy costs today, by what your machines draw and what a kWh costs:
      <ul className={styles.suggested}>
        {costs.map((cost) => (
          <li key={cost.siteName}>
            {cost.siteName}: <strong>${writeDecimal(cost.usdMicrosPerThsDay, 6)}</strong> (
            {formatHashrate(cost.ghs)}, ${writeDecimal(cost.usdMicrosPerKwh, 6)} per kWh since{" "}
            {cost.effectiveFrom})
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SumProps {
  label: string;
  of: Array<string | undefined>;
  places: number;
  write: (sum: bigint) => string;
}

function Sum({ label, of, places, write }: SumProps) {
  const parts = of.map((text) => readPart(text, places));
  const sum = parts.includes(null)
    ? null
    : parts.reduce<bigint>((total, part) => total + (part ?? 0n), 0n);
  return (
    <div className={styles.sum}>
      <span>{label}</span>
      <output>{sum === null ? "–" : write(sum)}</output>
    </div>
  );
}

function readPart(text: string | undefined, places: number): bigint | null {
  const bare = (text ?? "").trim().replace(/\$\s*/, "");
  const value = parseDecimal(bare.replace(/^[-−]\s*/, ""), places);
  return value !== null && /^[-−]/.test(bare) ? -value : value;
}
