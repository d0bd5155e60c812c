import { parseForm } from "#app/ui/forms/parse-form.ts";
import type { z } from "#core/zod.ts";

export type Rules = z.ZodMiniType;

/** What the rules have against what is typed in a form: for each field the first word. */
export function problemsOf(rules: Rules | null, form: HTMLFormElement): Map<string, string> {
  const read = rules && parseForm(new FormData(form), { schema: rules });
  if (read?.status !== "error") return new Map();
  return new Map(Object.entries(read.error).map(([name, [word = ""]]) => [name, word]));
}
