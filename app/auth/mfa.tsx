import { Form, Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { flash } from "#app/ui/toasts/flash.ts";
import { appContext } from "#server/app-context.ts";
import { getMfaMethods } from "#server/identity/mfa/get-mfa-methods.ts";
import { readMfaResponse } from "#server/identity/mfa/read-mfa-response.ts";
import { passMfa } from "#server/identity/sign-in/pass-mfa.ts";
import { findPendingMfaSession } from "#server/identity/sign-in/pending-mfa-session.ts";
import type { Route } from "./+types/mfa";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { nextPage } from "./next-page.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { visitorOf } from "./visitor-of.ts";

export const meta = titled("Two-factor authentication");
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const pending = await findPendingMfaSession(app, request.headers.get("cookie") ?? "", app.now());
  if (!pending) throw await signInAgain(url);
  if (!pending.hasMfa) throw redirect(`/login/set-up-second-factor${url.search}`);
  return getMfaMethods(app.db, pending.userId);
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const visitor = visitorOf(request, context);
  return runAct(
    async () => {
      const factor = readMfaResponse(await request.formData());
      const { user, cookies } = await passMfa(context.get(appContext), visitor, factor);
      const to = nextPage(url.searchParams.get("next"), user.kind);
      return { to, say: "signed-in", cookies };
    },
    async ({ text }, refusal) => {
      if (refusal.code === "identity/sign-in-again") throw await signInAgain(url);
      noteRefusal(context, refusal);
      return { fault: text };
    },
    sayFactor(visitor.now),
  );
}

/** Ten minutes are over, or five attempts: the password is asked for again. */
async function signInAgain(url: URL): Promise<Response> {
  return redirect(`/login${url.search}`, {
    headers: { "Set-Cookie": await flash("sign-in-again") },
  });
}

export default function MfaResponse({ loaderData, actionData }: Route.ComponentProps) {
  const { hasApp, hasPasskey } = loaderData;
  const links = (
    <>
      <Link to="/login">Start again</Link>
      <Link to="/contact">I have lost all of them</Link>
    </>
  );
  return (
    <AuthCard
      title="One more step"
      lead="Your password was right. Now show that it is you."
      links={links}
    >
      <div className={layout.form}>
        <FormWords errors={actionData ? [actionData.fault] : []} />
        {hasPasskey ? <PasskeyForm purpose="prove" label="Use a passkey" /> : null}
        <Form method="post" className={layout.form}>
          <TextField
            name="code"
            label={hasApp ? "Code" : "Recovery code"}
            description={
              hasApp
                ? "The six digits of your authenticator app, or a recovery code"
                : "Without your passkey: one of the codes that you wrote down"
            }
            autoComplete="one-time-code"
            autoFocus={!hasPasskey}
            maxLength={100}
          />
          <Button type="submit" wide look={hasPasskey ? "quiet" : "filled"} pendingText="Checking…">
            Continue
          </Button>
        </Form>
      </div>
    </AuthCard>
  );
}
