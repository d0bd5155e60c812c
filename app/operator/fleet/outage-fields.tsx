import type { FieldMetadata } from "@conform-to/react";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { field, select, textarea } from "#app/ui/forms/form-fields.tsx";
import { Pair } from "../parts/act-form.tsx";

export type OutageInput = Record<"what" | "at" | "lost" | "reason", string>;

interface Place {
  value: string;
  label: string;
}

/** What can stand still: each site, and each batch of it. */
export function outagePlaces(
  sites: ReadonlyArray<{ id: string; name: string }>,
  batches: ReadonlyArray<{ id: string; siteId: string; model: string }>,
): Place[] {
  return sites.flatMap(({ id, name }) => [
    { value: id, label: `${name}, all of it` },
    ...batches
      .filter(({ siteId }) => siteId === id)
      .map((batch) => ({ value: `${id}/${batch.id}`, label: `${name}: ${batch.model}` })),
  ]);
}

/** What is said of an outage, when it is noted and when it is corrected. `until`: since when it runs again. */
export function OutageFields({
  fields,
  places,
  until,
}: {
  fields: { [Name in keyof OutageInput]: FieldMetadata<string> };
  places: Place[];
  until?: FieldMetadata<string>;
}) {
  const lost = (
    <TextField label="Hashrate lost, TH/s" inputMode="decimal" {...field(fields.lost)} />
  );
  return (
    <>
      <SelectField label="What is down" choices={places} {...select(fields.what)} />
      <Pair>
        <TextField label="Since (UTC)" {...field(fields.at)} type="datetime-local" />
        {until ? (
          <TextField label="Until (UTC), if it is over" {...field(until)} type="datetime-local" />
        ) : (
          lost
        )}
      </Pair>
      {until ? lost : null}
      <TextArea
        label="Reason"
        description="Customers read it"
        rows={3}
        {...textarea(fields.reason)}
      />
    </>
  );
}
