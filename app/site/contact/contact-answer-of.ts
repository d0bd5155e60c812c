import { data, type RouterContextProvider, redirect } from "react-router";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import type { z } from "#core/zod.ts";
import { type App, appContext, requestContext } from "#server/app-context.ts";
import { comeBackLater } from "#server/platform/rate-limit.ts";

/** What a public form says when it was not taken: under which field, or at its head, with all that was typed. */
export interface FormAnswer {
  errors: Record<string, string>;
  problem: string | null;
  typed: Record<string, string>;
}

/** What came with a valid form. */
interface Arrival {
  form: FormData;
  clientAddress: string;
  now: Date;
}

/**
 * Takes a public form in: gives it to `send`, which names the page that follows. A form that is not valid, or was
 * not taken, comes back with all that was typed.
 */
export async function takeForm<Schema extends z.ZodMiniType>(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  schema: Schema,
  send: (app: App, value: z.infer<Schema>, arrival: Arrival) => Promise<string>,
) {
  const app = context.get(appContext);
  const form = await request.formData();
  const submission = parseForm(form, { schema });
  if (submission.status !== "success") return invalid(submission.reply(), form);
  const { clientAddress } = context.get(requestContext);
  try {
    return redirect(await send(app, submission.value, { form, clientAddress, now: app.now() }));
  } catch (error) {
    return declined(error, form, context);
  }
}

/** The form again, because what was typed is not valid. */
function invalid(result: FormReply, form: FormData) {
  const found = Object.entries(result.error ?? {});
  const errors = Object.fromEntries(found.map(([name, words]) => [name, words?.[0] ?? ""]));
  return data<FormAnswer>({ errors, problem: null, typed: typedIn(form) }, 400);
}

/** The form again, because what was typed was not taken now. What broke is logged and said as such: nothing was sent. */
function declined(error: unknown, form: FormData, context: Readonly<RouterContextProvider>) {
  const { log, now } = context.get(appContext);
  // A solved challenge may be spent by now; a form that is too old gets a new token, any other keeps its age.
  const { proof: _spent, ...typed } = typedIn(form);
  const answer = (problem: string) => ({ errors: {}, problem, typed });
  const later = comeBackLater(error, now(), "nothing was sent");
  if (later) return data<FormAnswer>(answer(later.words), later);
  if (error instanceof Refusal) {
    if (error.code === "contact/form-expired") delete typed["formToken"];
    return data<FormAnswer>(answer(wordsFor(error)), 400);
  }
  log.error({ err: error, requestId: context.get(requestContext).requestId }, "form failed");
  return data<FormAnswer>(
    answer("Something went wrong and your message was not sent. Please try again in a moment."),
    500,
  );
}

function wordsFor(refusal: Refusal): string {
  switch (refusal.code) {
    case "contact/too-fast":
      return "That was faster than people usually write. Please press Send again.";
    case "contact/form-expired":
      return "This page was open for a long time. Please check your message and press Send again.";
    case "contact/thread-gone":
      return "This link does not work any more. Please write a new message.";
    default:
      return "Your message could not be sent.";
  }
}

/** Only texts; what a person typed and what the form carries along. */
function typedIn(form: FormData): Record<string, string> {
  const texts = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return Object.fromEntries(texts);
}

/** A form's field as text; a file, or nothing, is empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
