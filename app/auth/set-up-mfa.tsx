import { Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { leadOn, runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { AuthenticatorSetUp } from "#app/ui/forms/authenticator-set-up.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { setUpMfa } from "#server/identity/mfa/set-up-mfa.ts";
import { drawTotp } from "#server/identity/mfa/set-up-totp.ts";
import { findPendingMfaSession } from "#server/identity/sign-in/pending-mfa-session.ts";
import type { Route } from "./+types/set-up-mfa";
import { AuthCard } from "./auth-card.tsx";
import { nextPage } from "./next-page.ts";
import { visitorOf } from "./visitor-of.ts";

export const meta = titled("Set up two-factor authentication");
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const pending = await findPendingMfaSession(app, request.headers.get("cookie") ?? "", now);
  if (!pending) throw redirect(`/login${url.search}`);
  if (pending.hasMfa) throw redirect(`/login/second-factor${url.search}`);
  const { id: begunIn, userId, email } = pending;
  return drawTotp(app, { userId, begunIn, email, now });
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const visitor = visitorOf(request, context);
  return runAct(
    async () => {
      const code = String((await request.formData()).get("code") ?? "");
      const { cookies } = await setUpMfa(context.get(appContext), visitor, code);
      const next = nextPage(url.searchParams.get("next"), "operator");
      const to = `/operator/security/recovery-codes?next=${encodeURIComponent(next)}`;
      return { to, cookies };
    },
    async ({ text }, refusal) => {
      if (refusal.code === "identity/sign-in-again") {
        throw await leadOn({ to: `/login${url.search}`, say: "sign-in-again" });
      }
      noteRefusal(context, refusal);
      return { fault: text };
    },
    sayFactor(visitor.now),
  );
}

export default function SetUpMfa({ loaderData, actionData }: Route.ComponentProps) {
  const links = <Link to="/login">Start again</Link>;
  return (
    <AuthCard
      title="Set up two-factor authentication"
      lead="Staff always sign in with it. You can add passkeys afterwards."
      links={links}
    >
      <AuthenticatorSetUp {...loaderData} fault={actionData?.fault ?? null} />
    </AuthCard>
  );
}
