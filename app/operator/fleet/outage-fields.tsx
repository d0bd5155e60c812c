import type { FieldMetadata } from "@conform-to/react";
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { field, select, textarea } from "#app/ui/form-fields.tsx";
import { Pair } from "../act-form.tsx";

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
    <TextInput label="Hashrate lost, TH/s" inputMode="decimal" {...field(fields.lost)} />
  );
  return (
    <>
      <NativeSelect label="What stands still" data={places} {...select(fields.what)} />
      <Pair>
        <TextInput label="Since (UTC)" {...field(fields.at)} type="datetime-local" />
        {until ? (
          <TextInput label="Until (UTC), if it is over" {...field(until)} type="datetime-local" />
        ) : (
          lost
        )}
      </Pair>
      {until ? lost : null}
      <Textarea
        label="Reason"
        description="Customers read it"
        rows={3}
        {...textarea(fields.reason)}
      />
    </>
  );
}
