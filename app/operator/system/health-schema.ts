import { silenceHours } from "#core/late.ts";
import { z } from "#core/zod.ts";
import { id, words } from "../parts/fields.ts";

export const silenceSchema = z.object({
  hours: z.pipe(
    z.enum(silenceHours.map(String) as [string, ...string[]], "Choose how long"),
    z.transform(Number),
  ),
  reason: words("Write what is being done", 300),
});

export const endSilenceSchema = z.object({ silenceId: id });
