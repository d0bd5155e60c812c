import { flagDays, flagKinds } from "#core/people/customer-flags.ts";
import { z } from "#core/zod.ts";
import { id, words } from "../parts/fields.ts";

export const noteSchema = z.object({ noteId: id, body: words("Write something first", 4000) });

export const flagSchema = z.object({
  kind: z.enum(flagKinds, "Choose from the list"),
  days: z.enum(flagDays.map(String), "Choose how long the flag stays"),
  reason: words("Write why", 1000),
});

export const liftSchema = z.object({ flagId: id });
