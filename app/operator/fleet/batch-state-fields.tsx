import type { FieldMetadata } from "@conform-to/react";
import { TextInput } from "@mantine/core";
import { field } from "#app/ui/form-fields.tsx";
import { Pair } from "../act-form.tsx";

type StateName = "effectiveFrom" | "machines" | "measured" | "watts" | "evidence";

/** How machines run from a day on. */
export function BatchStateFields({ fields }: { fields: Record<StateName, FieldMetadata<string>> }) {
  return (
    <>
      <Pair>
        <TextInput label="From (UTC day)" {...field(fields.effectiveFrom, "date")} />
        <TextInput label="Machines" inputMode="numeric" {...field(fields.machines)} />
      </Pair>
      <Pair>
        <TextInput
          label="Measured, TH/s each"
          description="On average"
          inputMode="decimal"
          {...field(fields.measured)}
        />
        <TextInput
          label="Power, watts each"
          description="At the wall"
          inputMode="numeric"
          {...field(fields.watts)}
        />
      </Pair>
      <TextInput label="What this rests on" {...field(fields.evidence)} />
    </>
  );
}
