import { data, type RouterContextProvider } from "react-router";
import { runAct, type Said } from "#app/run-act.ts";
import { parseForm, type Submission } from "#app/ui/forms/parse-form.ts";
import { messageFiles } from "#core/contact.ts";
import type { z } from "#core/zod.ts";
import { appContext } from "#server/app-context.ts";
import { type CustomerMessage, writeAsCustomer } from "#server/contact/write-as-customer.ts";
import { getCompany } from "#server/content/get-company.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { readUpload } from "#server/platform/files/read-upload.ts";
import { sayMessage } from "../refusals/contact.ts";

/** What every message's form has. */
interface Common {
  submissionKey: string;
  message: string;
}

/**
 * Takes a message with its files in, and leads to its thread. What was not taken comes back with all that was typed; files have
 * to be chosen again, which browsers ask of everyone.
 */
export async function takeMessage<Schema extends z.ZodMiniType<Common>>(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  schema: Schema,
  into: (value: z.output<Schema>) => Promise<CustomerMessage["into"]>,
) {
  const app = context.get(appContext);
  const customer = context.get(customerContext);
  const upload = {
    account: customer.id,
    field: "files",
    maxBytes: messageFiles.maxBytes,
    maxFiles: messageFiles.most,
  };
  return readUpload(request, upload, async ({ fields, files, refusal }) => {
    const form = parseForm(fields, { schema });
    const now = app.now();
    const refused = ({ field, text }: Said) => ({
      result: form.reply(
        field ? { fieldErrors: { ...errorsOf(form), [field]: [text] } } : { formErrors: [text] },
      ),
    });
    if (refusal) return runAct(() => Promise.reject(refusal), refused, sayMessage(now));
    if (form.status !== "success") return invalid(form, files.length);
    const { value } = form;
    const { email } = await getCompany(app.db);
    const { submissionKey, message } = value;
    const written = { customer, message, files, submissionKey, notify: email || null, now };
    return runAct(
      async () => {
        const { threadId } = await writeAsCustomer(app, { ...written, into: await into(value) });
        return { to: `/account/messages/${threadId}`, say: "message-sent" };
      },
      refused,
      sayMessage(now),
    );
  });
}

function invalid(form: Form, files: number) {
  const again = files > 0 ? { files: ["Please choose the files again."] } : {};
  return data({ result: form.reply({ fieldErrors: { ...errorsOf(form), ...again } }) }, 400);
}

type Form = Submission<unknown>;

function errorsOf(form: Form): Record<string, string[]> {
  const found = Object.entries(form.status === "success" ? {} : (form.error ?? {}));
  return Object.fromEntries(found.filter((each): each is [string, string[]] => each[1] !== null));
}
