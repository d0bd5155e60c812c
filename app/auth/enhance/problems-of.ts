import type { z } from "#core/zod.ts";
import { fieldsOf } from "./fields.ts";

export type Rules = z.ZodMiniType;

/** What the rules have against what is typed in a form: for each field the first word. */
export function problemsOf(rules: Rules | null, form: HTMLFormElement): Map<string, string> {
  // As the server reads a form: what is empty was not given.
  const typed = fieldsOf(form).map(({ name, type, value, checked }) => [
    name,
    type === "checkbox" ? checked : value || undefined,
  ]);
  const issues = rules?.safeParse(Object.fromEntries(typed)).error?.issues ?? [];
  const problems = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = String(path[0] ?? "");
    if (!problems.has(name)) problems.set(name, message);
  }
  return problems;
}
