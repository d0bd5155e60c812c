import { data, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { Refusal } from "#core/refusal.ts";
import { confirmFields, type ResumedForm } from "#core/resumed-form.ts";
import { terms } from "#core/terms.ts";
import { appContext, requestContext } from "../../app-context.ts";
import { readWholeForm } from "../../platform/files/read-upload.ts";
import { getMfaMethods } from "../mfa/get-mfa-methods.ts";
import { mfaError } from "../mfa/mfa-error.ts";
import { readMfaResponse } from "../mfa/read-mfa-response.ts";
import type { MfaResponse } from "../mfa/verify-mfa.ts";
import { operatorContext } from "../sessions/person-context.ts";
import { confirmAgain } from "./confirm-again.ts";
import { isFresh, sessionContext } from "./fresh-mfa.ts";
import { resumeForm } from "./resume-form.ts";

/** What the page in a form's place asks with, before the form is taken: app/ui/forms/form-in-hand.tsx. */
export interface StepUpQuestion {
  form: ResumedForm;
  hasApp: boolean;
  hasPasskey: boolean;
  fault: string | null;
}

/**
 * Lets a sensitive form pass when its sender has shown a second factor lately. Otherwise it is answered with a page that
 * carries the form, asks for the factor and sends both together: then the factor is checked, the session is fresh, and
 * the form passes, once. Whoever has no second factor passes: that is for the form itself to ask about.
 */
export async function requireStepUp(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  next: () => Promise<Response>,
): Promise<Response> {
  const now = context.get(appContext).now();
  if (isFresh(context, now) || context.get(sessionContext).session.provedBy === "password") {
    return next();
  }
  const upload = { account: context.get(sessionContext).id, maxBytes: terms.slipMaxBytes };
  const form = await readWholeForm(request.clone(), upload);
  const factor = takeMfa(form);
  if (!factor) throw await question(request, context, form);
  const cookies = await confirm(request, context, form, factor, now);
  const response = await next();
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** The same for some forms of a page of an account: those of which `isSensitive` says so. */
export function requireStepUpFor(
  isSensitive: (form: FormData) => boolean,
): MiddlewareFunction<Response> {
  return async (args, next) => {
    const { request } = args;
    const reads = request.method === "GET" || request.method === "HEAD";
    if (reads || !isSensitive(await request.clone().formData())) return next();
    return requireStepUp(args, next);
  };
}

/** The fields of the factor, under the names that it has everywhere else; null when the form has none. */
function takeMfa(form: FormData): FormData | null {
  const factor = new FormData();
  for (const [name, field] of Object.entries(confirmFields)) {
    const given = form.get(field);
    if (typeof given === "string") factor.set(name, given);
  }
  return factor.has("code") || factor.has("passkey") ? factor : null;
}

async function confirm(
  request: Request,
  context: Readonly<RouterContextProvider>,
  form: FormData,
  shown: FormData,
  now: Date,
): Promise<string[]> {
  const { id: userId, kind, session } = context.get(sessionContext);
  const { clientAddress, requestId } = context.get(requestContext);
  const userAgent = request.headers.get("user-agent") ?? "";
  const actor = { userId, sessionId: session.id, clientAddress, userAgent, now };
  const app = context.get(appContext);
  try {
    const factor: MfaResponse = readMfaResponse(shown);
    const { cookies } = await confirmAgain(app, actor, factor);
    context.set(sessionContext, { id: userId, kind, session: { ...session, provedAt: now } });
    if (kind === "operator") {
      context.set(operatorContext, { ...context.get(operatorContext), provedAt: now });
    }
    return cookies;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    app.log.warn({ requestId, refusal: error.code }, "authentication refused");
    throw await question(request, context, form, error);
  }
}

async function question(
  request: Request,
  context: Readonly<RouterContextProvider>,
  form: FormData,
  refusal?: Refusal,
) {
  const { db, now, config } = context.get(appContext);
  const { siteName } = config;
  const fault = refusal ? mfaError(refusal, now()) : null;
  const asked: StepUpQuestion = {
    form: await resumeForm(request, form),
    ...(await getMfaMethods(db, context.get(sessionContext).id)),
    fault: fault?.words ?? null,
  };
  const status = fault && fault.status !== 400 ? fault.status : 403;
  return data({ asked, siteName }, { status, statusText: "Second factor needed" });
}
