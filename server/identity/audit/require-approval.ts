import { data, type MiddlewareFunction } from "react-router";
import { Refusal } from "#core/refusal.ts";
import { confirmFields } from "#core/resumed-form.ts";
import { appContext } from "../../app-context.ts";
import { getMfaMethods } from "../mfa/get-mfa-methods.ts";
import { passkeySite } from "../mfa/passkey-site.ts";
import { readPasskey } from "../mfa/read-mfa-response.ts";
import { operatorContext } from "../sessions/person-context.ts";
import { requireStepUp } from "../step-up/require-step-up.ts";
import { resumeForm } from "../step-up/resume-form.ts";
import { type Approval, type ApprovalQuestion, isAsked, issueAsked } from "./approval.ts";

type Arguments = Parameters<MiddlewareFunction<Response>>[0];

/**
 * Guards a form that approves something. Whoever has a passkey is asked for it by the act itself, which alone knows what is
 * approved (`approveWithPasskey`); a code is asked for as for every sensitive form.
 */
export async function requireApproval(
  args: Arguments,
  next: () => Promise<Response>,
): Promise<Response> {
  const { request, context } = args;
  const { db, auth, config, now } = context.get(appContext);
  const operator = context.get(operatorContext);
  const { hasPasskey } = await getMfaMethods(db, operator.id);
  if (!hasPasskey || !passkeySite(config)) return requireStepUp(args, next);
  const form = await request.clone().formData();
  const { siteName, appUrl } = config;
  const mark = form.get(confirmFields.asked);
  const isAnswer = typeof mark === "string" && form.has(confirmFields.passkey);
  const isInTime = isAnswer && isAsked(auth, operator.id, mark, now());
  const given = isInTime ? findAnswer(form) : null;
  const approval: Approval = {
    site: { siteName, appUrl },
    asked: given && isInTime ? mark : issueAsked(auth, operator.id, now()),
    given,
    fault: isAnswer && !given ? lateWords : null,
    async ask(question: ApprovalQuestion) {
      const approve = { ...question, form: await resumeForm(request, form) };
      return data({ approve, siteName }, { status: 403, statusText: "Passkey needed" });
    },
  };
  context.set(operatorContext, { ...operator, approval });
  return next();
}

const lateWords =
  "The question was open for too long, or the answer could not be read. Nothing was done yet.";

function findAnswer(form: FormData) {
  const shown = new FormData();
  shown.set("passkey", String(form.get(confirmFields.passkey)));
  try {
    return readPasskey(shown);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
