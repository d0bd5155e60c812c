import { data, redirect } from "react-router";
import type { SignedOut } from "#core/people/signed-out.ts";
import type { ResumedForm } from "#core/resumed-form.ts";
import { eq, sql } from "#server/platform/sql.ts";
import type { Config } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { isMultipart } from "../../platform/http/limit-body.ts";
import { isOpen } from "../account/is-open.ts";
import { hashToken } from "../registration/issue-link.ts";
import { sessions } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { readToken } from "../sessions/session-cookie.ts";
import { resumeForm } from "../step-up/resume-form.ts";

/** What the page in a form's place says to who was signed out meanwhile: app/ui/forms/form-in-hand.tsx. */
export interface FormOfSignedOut {
  form: ResumedForm;
  why: SignedOut;
  signIn: string;
}

/** Longer than any address that a page of ours leads to; a proxy refuses an answer whose headers are too long. */
const longestNext = 2_000;

/**
 * Sends a stranger to the sign-in page, which leads back to the page that was wanted. Who was signed in and has filled in a
 * form gets it back instead, to send it once more after signing in.
 */
export async function signInFirst(
  app: { db: Db; auth: Auth; config: Pick<Config, "siteName">; now(): Date },
  request: Request,
  { pathname, search }: URL,
) {
  const next = [pathname + search, pathname]
    .map(encodeURIComponent)
    .find(({ length }) => length <= longestNext);
  const signIn = next ? `/login?next=${next}` : "/login";
  const isForm = request.method === "POST" && !isUpload(request);
  const why = isForm ? await whySignedOut(app, request) : null;
  if (!why) return redirect(signIn);
  const form = await resumeForm(request, await request.clone().formData());
  const signedOut: FormOfSignedOut = { form, why, signIn };
  const { siteName } = app.config;
  return data({ signedOut, siteName }, { status: 401, statusText: "Signed out" });
}

/** Why the session of a request's cookie opens nothing, or null when the request has no such cookie. */
export async function whySignedOut(
  { db, auth, now }: { db: Db; auth: Auth; now(): Date },
  request: Request,
): Promise<SignedOut | null> {
  const token = readToken(auth, "session_token", request.headers.get("cookie") ?? "");
  if (!token) return null;
  const [session] = await db
    .select({ expiresAt: sessions.expiresAt, isOpen: sql<boolean>`${isOpen(now())}` })
    .from(sessions)
    .where(eq(sessions.tokenSha256, hashToken(token)));
  if (!session) return "ended";
  // It opens something: whoever is turned away all the same was not signed out.
  if (session.isOpen) return null;
  return session.expiresAt > now() ? "idle" : "over";
}

/** Uploads are not read for somebody who is not signed in: they may be large. */
function isUpload(request: Request): boolean {
  return isMultipart(request.headers.get("content-type") ?? "");
}
