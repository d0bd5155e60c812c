import { data, redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/flash.ts";
import { parseForm } from "#app/ui/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import { z } from "#core/zod.ts";
import type { FormAnswer } from "./act-form.tsx";
import { type Said, sayMiningRefusal } from "./say-mining-refusal.ts";

/** Where one goes after an act, and what is said there. */
export interface Done {
  to: string;
  say: FlashKey;
}

/** A form without fields. */
export const nothingToFill = z.object({});

/**
 * Reads a form and does what it asks for: then leads on with a word. What is wrong or refused comes back beside the field
 * that can mend it, with everything that was typed; of two who were at it, the second one gets a 409.
 */
export async function answerAct<Output>(
  form: FormData,
  schema: z.ZodMiniType<Output, unknown>,
  run: (value: Output) => Promise<Done>,
) {
  const name = String(form.get("form") ?? form.get("intent"));
  const submission = parseForm(form, { schema: schema as never });
  const answer = (result: FormAnswer["result"]): FormAnswer => ({ form: name, result });
  if (submission.status !== "success") return data(answer(submission.reply()), 400);
  try {
    const { to, say } = await run(submission.value as Output);
    return redirect(to, { headers: { "Set-Cookie": await flash(say) } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, ...said } = sayMiningRefusal(error.code);
    return data(answer(submission.reply(atHeadWithoutField(form, said))), status);
  }
}

/** What concerns a field that this form does not have would be seen by nobody: it stands at the form's head. */
function atHeadWithoutField(
  form: FormData,
  { fieldErrors = {}, formErrors = [] }: Omit<Said, "status">,
): Omit<Said, "status"> {
  const fields = Object.entries(fieldErrors);
  const lost = fields.filter(([name]) => !form.has(name)).flatMap(([, words]) => words);
  return {
    fieldErrors: Object.fromEntries(fields.filter(([name]) => form.has(name))),
    formErrors: [...formErrors, ...lost],
  };
}
