import { data } from "react-router";
import { type ActResult, errorsOf, runAct } from "#app/run-act.ts";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { z } from "#core/zod.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { FormAnswer } from "./act-form.tsx";

/** A form without fields. */
export const nothingToFill = z.object({});

/**
 * Reads a form and does what it asks for: then leads on with a word. What is wrong or refused comes back beside the field
 * that can mend it, with everything that was typed. Of two who were at it, the second one gets a 409, whose words are above the page.
 */
export async function answerAct<Output>(
  form: FormData,
  schema: z.ZodMiniType<Output, unknown>,
  run: (value: Output) => Promise<ActResult>,
) {
  const name = String(form.get("form") ?? form.get("intent"));
  const submission = parseForm(form, { schema: schema as never });
  const answer = (result: FormAnswer["result"]): FormAnswer => ({ form: name, result });
  if (submission.status !== "success") return data(answer(submission.reply()), 400);
  return runAct(
    () => run(submission.value as Output),
    (said) => answer(submission.reply(errorsOf(said, form))),
    sayRefusal,
  );
}
