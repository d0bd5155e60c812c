import { data, Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { AuthenticatorSetUp } from "#app/ui/authenticator-set-up.tsx";
import { flash } from "#app/ui/flash.ts";
import { titled } from "#app/ui/page-title.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { factorFault } from "#server/identity/factor-fault.ts";
import { findHalfSession } from "#server/identity/half-session.ts";
import { setUpFirstFactor } from "#server/identity/set-up-first-factor.ts";
import { drawTotp } from "#server/identity/set-up-totp.ts";
import type { Route } from "./+types/set-up-second-factor";
import { AuthCard } from "./auth-card.tsx";
import { nextPage } from "./next-page.ts";
import { visitorOf } from "./visitor-of.ts";

export const meta = titled("Set up a second factor");
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const half = await findHalfSession(app, request.headers.get("cookie") ?? "", now);
  if (!half) throw redirect(`/login${url.search}`);
  if (half.hasFactor) throw redirect(`/login/second-factor${url.search}`);
  const { id: begunIn, userId, email } = half;
  return drawTotp(app, { userId, begunIn, email, now });
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const visitor = visitorOf(request, context);
  try {
    const code = String((await request.formData()).get("code") ?? "");
    const { cookies } = await setUpFirstFactor(context.get(appContext), visitor, code);
    const headers = new Headers();
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    const next = nextPage(url.searchParams.get("next"), "operator");
    return redirect(`/operator/security/recovery-codes?next=${encodeURIComponent(next)}`, {
      headers,
    });
  } catch (error) {
    if (error instanceof Refusal && error.code === "identity/sign-in-again") {
      const headers = { "Set-Cookie": await flash("sign-in-again") };
      throw redirect(`/login${url.search}`, { headers });
    }
    noteRefusal(context, error);
    const { words, ...init } = factorFault(error, visitor.now);
    return data({ fault: words }, init);
  }
}

export default function SetUpSecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const links = <Link to="/login">Start again</Link>;
  return (
    <AuthCard
      title="Set up a second factor"
      lead="Staff always sign in with one. Passkeys can be added afterwards."
      links={links}
    >
      <AuthenticatorSetUp {...loaderData} fault={actionData?.fault ?? null} />
    </AuthCard>
  );
}
