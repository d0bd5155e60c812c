import { randomUUID } from "node:crypto";
import type { RouterContextProvider } from "react-router";
import { type Done, unlessRefused } from "#app/run-act.ts";
import { contactLimits } from "#core/contact.ts";
import { plainText } from "#core/plain-text.ts";
import { appContext } from "#server/app-context.ts";
import { isUuid } from "#server/contact/thread.ts";
import { writeAsCustomer } from "#server/contact/write-as-customer.ts";
import { getCompany } from "#server/content/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { sayMessage } from "../refusals/contact.ts";
import { listCases } from "./cases.ts";

/** What the form says when a message was not sent, with all that was typed. */
export interface HelpAnswer {
  status: number;
  errors: { message?: string };
  problem?: string;
  typed: { about: string; message: string; submissionKey?: string };
}

/**
 * Takes a customer's message with the number of the case that it is about into their messages, where the answer is read. Cases are
 * those of this customer: another number is left out.
 */
export async function takeMessage(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Done | HelpAnswer> {
  const app = context.get(appContext);
  const customer = context.get(customerContext);
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const given = text("submissionKey");
  const submissionKey = isUuid(given) ? given : randomUUID();
  const typed = { about: text("about"), message: text("message"), submissionKey };
  const message = plainText(typed.message).trim();
  const refuse = (
    said: Omit<HelpAnswer, "typed" | "errors"> & { errors?: HelpAnswer["errors"] },
  ) => ({
    errors: {},
    typed,
    ...said,
  });
  if (message === "")
    return refuse({ status: 400, errors: { message: "Please write your message" } });
  if (message.length > contactLimits.message) {
    const most = contactLimits.message.toLocaleString("en-US");
    return refuse({ status: 400, errors: { message: `At most ${most} characters` } });
  }
  const now = app.now();
  const about = (await listCases(app.db, customer.id, now)).find(({ key }) => key === typed.about);
  const { email: notify } = await getCompany(app.db);
  const send = async (): Promise<Done> => {
    const into = { subject: subjectOf(about), about: about?.key ?? null };
    const written = { customer, into, message, files: [], submissionKey, notify: notify || null };
    const { threadId } = await writeAsCustomer(app, { ...written, now });
    return { to: `/account/messages/${threadId}`, say: "message-sent" };
  };
  return unlessRefused(send, (refusal) => {
    const said = sayMessage(now)(refusal);
    if (!said) throw refusal;
    return refuse({ status: said.status, problem: said.text });
  });
}

function subjectOf(about: { key: string; label: string } | undefined): string {
  if (!about) return "A question from an account";
  const number = about.key.slice(about.key.indexOf(":") + 1);
  // The whole number, whatever a plan is called.
  return `${about.label.slice(0, 100)} (${number})`;
}
