import type { Submission } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { isFieldName, maxFields } from "#core/form-fields.ts";
import type { z } from "#core/zod.ts";

/** What a browser checks of a form by itself: lengths, what is required. */
export const constraintsOf: typeof getZodConstraint = getZodConstraint;

/**
 * Reads a form by its schema. On the server only fields with plain names are looked at, since strangers choose them: the library
 * takes `a[4294967294]` for a place in a list and `a.b.c` for a path, and builds both. It also carries out what a field
 * `__intent__` says, which only the page in a browser may send.
 */
export function parseForm<Schema extends z.core.$ZodType>(
  form: FormData,
  { schema }: { schema: Schema },
): Submission<z.input<Schema>, string[], z.output<Schema>> {
  return parseWithZod(typeof document === "undefined" ? onlyPlain(form) : form, { schema });
}

/** The library copies a field's earlier values for each further one, so their number is bounded as well. */
function onlyPlain(form: FormData): FormData {
  const plain = new FormData();
  let seen = 0;
  for (const [name, value] of form) {
    if (seen === maxFields) break;
    seen += 1;
    if (isFieldName(name)) plain.append(name, value);
  }
  return plain;
}
