import { Link, redirect, useSearchParams } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { wantsAnswer } from "#app/plain-page.ts";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { signedOutWords } from "#core/people/signed-out.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { passkeySite } from "#server/identity/mfa/passkey-site.ts";
import { type NextStep, signIn } from "#server/identity/sign-in/sign-in.ts";
import { whySignedOut } from "#server/identity/sign-in/sign-in-first.ts";
import type { Route } from "./+types/login";
import { done, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { AuthForm, checkOf, fieldOf } from "./auth-form.tsx";
import { effortOf } from "./effort-of.ts";
import { failureOf, unseen } from "./failure-of.ts";
import { signInForm } from "./forms.ts";
import styles from "./layout.module.css";
import { nextPage } from "./next-page.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { signedInHome } from "./signed-in-home.ts";

export const meta = pageMeta({
  title: "Log in",
  description: "Sign in to your account: balances, deposits, and the evidence behind every figure.",
  path: "/login",
});
export const headers = answerHeaders;

const failure = "Login failed";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const home = wantsAnswer(request) ? null : await signedInHome(request, url, context);
  if (home) throw redirect(home);
  const app = context.get(appContext);
  return {
    passkeys: passkeySite(app.config) !== null,
    signedOut: url.searchParams.has("next") ? await whySignedOut(app, request) : null,
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseForm(form, { schema: signInForm });
  if (submission.status !== "success") return invalid(submission.reply({ hideFields: unseen }));
  const app = context.get(appContext);
  try {
    const { user, cookies, step } = await signIn(app, {
      ...submission.value,
      clientAddress: context.get(requestContext).clientAddress,
      userAgent: request.headers.get("user-agent") ?? "",
      cookieHeader: request.headers.get("cookie") ?? "",
      effort: await effortOf(app, form),
      now: app.now(),
    });
    if (step !== "signed-in") return toMfa(step, url.searchParams.get("next"), cookies);
    return done(request, {
      next: nextPage(url.searchParams.get("next"), user.kind),
      cookies,
      said: ["signed-in"],
    });
  } catch (error) {
    return failureOf(error, { submission, form }, failure, context);
  }
}

/** The password was right: the second factor has a page of its own, and there is no session before it. */
function toMfa(step: Exclude<NextStep, "signed-in">, next: string | null, cookies: string[]) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return redirect(`/login/${step}${next ? `?next=${encodeURIComponent(next)}` : ""}`, { headers });
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const next = params.get("next");
  const field = fieldOf(actionData);
  const check = checkOf(actionData);
  return (
    <AuthCard title="Log in" lead="Welcome back." links={<LoginLinks />}>
      <AuthForm name="sign-in" answer={actionData} failure={failure} button="Log in">
        {loaderData.signedOut ? (
          <Notice title="You were signed out">
            {signedOutWords[loaderData.signedOut]} Sign in, and you are back where you were.
          </Notice>
        ) : null}
        <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
        <PasswordField label="Password" autoComplete="current-password" {...field("password")} />
        <div className={styles.row}>
          <CheckField label="Remember Me" {...check("rememberMe")} />
          <Link to="/forgotpassword">Forgot Password</Link>
        </div>
      </AuthForm>
      {loaderData.passkeys ? (
        <PasskeyForm
          purpose="sign-in"
          action={`/login/passkey${next ? `?next=${encodeURIComponent(next)}` : ""}`}
          label="Sign in with a passkey"
          quiet
        />
      ) : null}
    </AuthCard>
  );
}

function LoginLinks() {
  return (
    <>
      <Link to="/">Home</Link>
      <Link to="/signup">Register</Link>
    </>
  );
}
