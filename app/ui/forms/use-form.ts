import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from "react";
import type { z } from "#core/zod.ts";
import { type FormErrors, type FormReply, parseForm } from "./parse-form.ts";

interface FormOptions<Name extends string> {
  /** Ids of its fields begin with it. */
  id: string;
  /** What the server answered to what was sent. */
  lastResult: FormReply | null | undefined;
  defaultValue?: { [Each in NoInfer<Name>]?: string | null | undefined };
  /** What the browser checks as the server does. Fetched when a reader begins: whoever only looks needs no rules. */
  rules?: FormRules<Name>;
  /** Says what is wrong with a field as soon as it is left, if something was typed; otherwise when the form is sent. */
  checksOnLeave?: boolean;
}

export type FormRules<Name extends string> = () => Promise<
  z.ZodMiniType<unknown, { [Each in Name]?: unknown }>
>;

/** A form's fields: `<TextField label="Name" {...form.field("name")} />`. */
export interface FormFields<Name extends string = string> {
  field(name: Name): {
    id: string;
    name: string;
    defaultValue: string | undefined;
    error: string | undefined;
  };
  /** The same of a box to tick. */
  check(name: Name): {
    id: string;
    name: string;
    defaultChecked: boolean;
    error: string | undefined;
  };
  error(name: Name): string | undefined;
  /** What is in the fields at the moment. */
  typed: { [Each in Name]?: string };
}

/**
 * A form that says at each field what is wrong with it, leads to the first such field when it was sent, and keeps what was
 * typed: `<Form method="post" {...form.props}>`. Without a script, or before the rules are there, the server says the same.
 */
export function useForm<Name extends string>(options: FormOptions<Name>) {
  const { id, lastResult, defaultValue = {}, rules, checksOnLeave = false } = options;
  const start: Record<string, unknown> = lastResult?.initialValue ?? defaultValue;
  const [typed, setTyped] = useState(start);
  const [answered, setAnswered] = useState(lastResult);
  /** What the server said, and what the rules say now: of one field the latter counts. */
  const [said, setSaid] = useState(lastResult?.error ?? {});
  const [found, setFound] = useState<FormErrors>({});
  if (answered !== lastResult) {
    setAnswered(lastResult);
    setSaid(lastResult?.error ?? {});
    setFound({});
    if (lastResult?.initialValue === null) setTyped(start);
  }
  const form = useRef<HTMLFormElement>(null);
  const checked = useRef(new Set<string>());
  const schema = useRef<z.ZodMiniType>(null);

  const load = async () => {
    // When they cannot be had, the server's are enough.
    schema.current = (await rules?.().catch(() => null)) ?? null;
  };
  const check = () => {
    if (!form.current || !schema.current) return {};
    const read = parseForm(new FormData(form.current), { schema: schema.current });
    const errors = read.status === "error" ? Object.entries(read.error) : [];
    const shown = Object.fromEntries(errors.filter(([name]) => checked.current.has(name)));
    setFound(shown);
    return shown;
  };

  const first = useRef(lastResult);
  useEffect(() => {
    if (first.current === lastResult) return;
    first.current = lastResult;
    if (lastResult?.initialValue === null) {
      checked.current.clear();
      form.current?.reset();
    } else if (lastResult?.error) {
      checked.current = namesIn(form.current);
      focusFirst(form.current, lastResult.error);
    }
  }, [lastResult]);

  const error = (name: string) => (found[name] ?? said[name])?.[0];
  const textOf = (name: string) => {
    const text = start[name];
    return typeof text === "string" ? text : undefined;
  };
  const fields: FormFields<Name> = {
    field: (name) => ({
      id: `${id}-${name}`,
      name,
      defaultValue: textOf(name),
      error: error(name),
    }),
    check: (name) => ({
      id: `${id}-${name}`,
      name,
      defaultChecked: textOf(name) === "on",
      error: error(name),
    }),
    error,
    typed: typed as FormFields<Name>["typed"],
  };
  return {
    ...fields,
    /** What is wrong with the form as a whole. */
    errors: found[""] ?? said[""],
    isWrong: Object.keys({ ...said, ...found }).length > 0,
    props: {
      id,
      ref: form,
      noValidate: true,
      onFocus: () => void load(),
      onBlur({ target }: FocusEvent<HTMLFormElement, Element>) {
        if (!checksOnLeave || !isTypedInto(target)) return;
        checked.current.add(target.name);
        void load().then(check);
      },
      onInput({ currentTarget, target }: FormEvent<HTMLFormElement>) {
        const { name } = target as HTMLInputElement;
        setTyped(Object.fromEntries(new FormData(currentTarget)));
        setSaid(({ [name]: _, ...others }) => others);
        if (checked.current.has(name)) check();
      },
      onSubmit(event: FormEvent<HTMLFormElement>) {
        checked.current = namesIn(event.currentTarget);
        const errors = check();
        if (Object.keys(errors).length === 0) return;
        event.preventDefault();
        focusFirst(event.currentTarget, errors);
      },
    },
  };
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(element: Element): element is FieldElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

function fieldsOf(form: HTMLFormElement | null): FieldElement[] {
  return [...(form?.elements ?? [])].filter(isField);
}

/** Of all its fields, and the form's own. */
function namesIn(form: HTMLFormElement | null): Set<string> {
  return new Set(["", ...fieldsOf(form).map(({ name }) => name)]);
}

/** A keyboard that passes through an empty form hears no errors. */
function isTypedInto(element: Element): element is FieldElement {
  return isField(element) && !untyped.includes(element.type) && element.value !== "";
}

const untyped: readonly string[] = ["file", "checkbox", "radio"];

function focusFirst(form: HTMLFormElement | null, errors: FormErrors): void {
  const isWrong = ({ name, type }: FieldElement) => Boolean(errors[name]) && type !== "hidden";
  fieldsOf(form).find(isWrong)?.focus();
}
