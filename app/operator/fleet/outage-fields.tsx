import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import { Pair } from "../parts/act-form.tsx";

type OutageName = "what" | "at" | "lost" | "reason";

interface Place {
  value: string;
  label: string;
}

/** What can stand still: each site, and each delivery of it. */
export function outagePlaces(
  sites: ReadonlyArray<{ id: string; name: string }>,
  deliveries: ReadonlyArray<{ id: string; siteId: string; model: string }>,
): Place[] {
  return sites.flatMap(({ id, name }) => [
    { value: id, label: `${name}, all of it` },
    ...deliveries
      .filter(({ siteId }) => siteId === id)
      .map((delivery) => ({ value: `${id}/${delivery.id}`, label: `${name}: ${delivery.model}` })),
  ]);
}

/** What is said of an outage, when it is noted and when it is corrected; then also since when it runs again. */
export function OutageFields({
  form,
  places,
  until,
}: {
  form: FormFields<OutageName>;
  places: Place[];
  until?: ReturnType<FormFields["field"]>;
}) {
  const lost = (
    <TextField label="Hashrate lost, TH/s" inputMode="decimal" {...form.field("lost")} />
  );
  return (
    <>
      <SelectField label="What is down" choices={places} {...form.field("what")} />
      <Pair>
        <TextField label="Since (UTC)" {...form.field("at")} type="datetime-local" />
        {until ? (
          <TextField label="Until (UTC), if it is over" {...until} type="datetime-local" />
        ) : (
          lost
        )}
      </Pair>
      {until ? lost : null}
      <TextArea label="Reason" description="Customers read it" rows={3} {...form.field("reason")} />
    </>
  );
}
