import { isFieldName, maxFields, oldPage } from "#core/form-fields.ts";
import type { z } from "#core/zod.ts";

/** What is wrong with each field; under "" with the form as a whole. */
export type FormErrors = Record<string, string[]>;

/** What a form is answered: errors, and what was typed, so that it stays. Null empties the form. */
export interface FormReply {
  initialValue: Record<string, string | string[]> | null;
  error?: FormErrors;
}

interface Said {
  fieldErrors?: FormErrors;
  formErrors?: string[];
  /** What is not sent back, such as passwords. */
  hideFields?: readonly string[];
  /** The form is done with. */
  resetForm?: true;
}

/** A form as it was read. */
export type Submission<Value> = { reply(said?: Said): FormReply } & (
  | { status: "success"; value: Value }
  | { status: "error"; error: FormErrors }
);

/**
 * Reads a form by its schema, on the server and in the browser. A field that is empty was not given; one that is sent several
 * times is a list.
 */
export function parseForm<Schema extends z.ZodMiniType>(
  form: FormData,
  { schema }: { schema: Schema },
): Submission<z.output<Schema>> {
  const typed = readFields(form);
  const { success, data, error } = schema.safeParse(typed);
  if (success) return { status: "success", value: data, reply: (said) => reply(typed, {}, said) };
  const errors: FormErrors = {};
  for (const { path, message } of error.issues) {
    // Its field is hidden: beside it nobody would read it.
    const name = message === oldPage ? "" : String(path[0] ?? "");
    errors[name] = [...(errors[name] ?? []), message];
  }
  return { status: "error", error: errors, reply: (said) => reply(typed, errors, said) };
}

type Typed = Record<string, FormDataEntryValue | FormDataEntryValue[]>;

/** Strangers choose the names and their number: only plain names count, and so many fields are looked at. */
function readFields(form: FormData): Typed {
  const lists = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of [...form].slice(0, maxFields)) {
    const isEmpty = typeof value === "string" ? value === "" : value.name === "" && !value.size;
    if (isEmpty || !isFieldName(name)) continue;
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]),
  );
}

function reply(typed: Typed, found: FormErrors, said: Said = {}): FormReply {
  const { fieldErrors, formErrors, hideFields = [], resetForm } = said;
  if (resetForm) return { initialValue: null };
  const texts = Object.entries(typed).filter(
    (field): field is [string, string | string[]] =>
      !hideFields.includes(field[0]) && [field[1]].flat().every((each) => typeof each === "string"),
  );
  const errors = { ...found, ...fieldErrors, ...(formErrors && { "": formErrors }) };
  const shown = Object.entries(errors).filter(([, words]) => words.length > 0);
  return {
    initialValue: Object.fromEntries(texts),
    ...(shown.length > 0 && { error: Object.fromEntries(shown) }),
  };
}
