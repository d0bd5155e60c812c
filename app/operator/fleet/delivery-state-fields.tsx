import { TextField } from "#app/ui/controls/text-field.tsx";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import { Pair } from "../parts/act-form.tsx";

type StateName = "effectiveFrom" | "machines" | "measured" | "watts" | "evidence";

/** How machines run from a day on. */
export function DeliveryStateFields({ form }: { form: FormFields<StateName> }) {
  return (
    <>
      <Pair>
        <TextField label="From (UTC day)" type="date" {...form.field("effectiveFrom")} />
        <TextField label="Machines" inputMode="numeric" {...form.field("machines")} />
      </Pair>
      <Pair>
        <TextField
          label="Measured, TH/s each"
          description="On average"
          inputMode="decimal"
          {...form.field("measured")}
        />
        <TextField
          label="Power, watts each"
          description="At the wall"
          inputMode="numeric"
          {...form.field("watts")}
        />
      </Pair>
      <TextField label="Source, such as a meter" {...form.field("evidence")} />
    </>
  );
}
