import { Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { readPasskey } from "#server/identity/mfa/read-mfa-response.ts";
import { signInWithPasskey } from "#server/identity/sign-in/sign-in-with-passkey.ts";
import type { Route } from "./+types/passkey-sign-in";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { nextPage } from "./next-page.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { visitorOf } from "./visitor-of.ts";

export const meta = titled("Sign in with a passkey");
export const headers = answerHeaders;

export async function action({ request, url, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const visitor = visitorOf(request, context);
  return runAct(
    async () => {
      const response = readPasskey(await request.formData());
      const { user, cookies } = await signInWithPasskey(app, visitor, response);
      const to = nextPage(url.searchParams.get("next"), user.kind);
      return { to, say: "signed-in", cookies };
    },
    ({ text }, refusal) => {
      noteRefusal(context, refusal);
      return { fault: text };
    },
    sayFactor(visitor.now),
  );
}

export default function PasskeySignIn({ actionData }: Route.ComponentProps) {
  const links = <Link to="/login">Sign in with the password</Link>;
  return (
    <AuthCard title="Sign in with a passkey" links={links}>
      <div className={layout.form}>
        <FormWords errors={actionData ? [actionData.fault] : []} />
        <PasskeyForm purpose="sign-in" label="Try again" quiet />
      </div>
    </AuthCard>
  );
}
