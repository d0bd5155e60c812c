import type { FieldMetadata } from "@conform-to/react";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { field } from "#app/ui/forms/form-fields.tsx";
import { Pair } from "../parts/act-form.tsx";

type StateName = "effectiveFrom" | "machines" | "measured" | "watts" | "evidence";

/** How machines run from a day on. */
export function BatchStateFields({ fields }: { fields: Record<StateName, FieldMetadata<string>> }) {
  return (
    <>
      <Pair>
        <TextField label="From (UTC day)" {...field(fields.effectiveFrom, "date")} />
        <TextField label="Machines" inputMode="numeric" {...field(fields.machines)} />
      </Pair>
      <Pair>
        <TextField
          label="Measured, TH/s each"
          description="On average"
          inputMode="decimal"
          {...field(fields.measured)}
        />
        <TextField
          label="Power, watts each"
          description="At the wall"
          inputMode="numeric"
          {...field(fields.watts)}
        />
      </Pair>
      <TextField label="Source, such as a meter" {...field(fields.evidence)} />
    </>
  );
}
