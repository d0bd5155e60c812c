import { Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { titled } from "#app/ui/page/page-title.ts";
import { flash } from "#app/ui/toasts/flash.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { passwordLinks, resetPassword } from "#server/identity/passwords/reset-password.ts";
import { inspectLink, type LinkState } from "#server/identity/registration/use-link.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/reset-password";
import { invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { AuthForm, fieldOf } from "./auth-form.tsx";
import { failureOf, unseen } from "./failure-of.ts";
import { resetPasswordForm } from "./forms.ts";

export const meta = titled("Set a new password");

const failure = "The password was not changed";

/** The address holds a token: it goes to no other site. */
export function headers(answer: Route.HeadersArgs) {
  return { ...answerHeaders(answer), "Referrer-Policy": "same-origin" };
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { state, purpose } = await inspectLink(db, {
    token: tokenOf(url),
    purposes: passwordLinks,
    now: now(),
  });
  return { state, isInvitation: purpose === "operator-invitation" };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseForm(form, { schema: resetPasswordForm });
  if (submission.status !== "success") return invalid(submission.reply({ hideFields: unseen }));
  const { db, config, now } = context.get(appContext);
  try {
    const { clientAddress } = context.get(requestContext);
    const count = () => countAttempt(db, limits.linkByNetwork, clientNetwork(clientAddress), now());
    const { password } = submission.value;
    const userAgent = request.headers.get("user-agent") ?? "";
    const from = { site: config, clientAddress, userAgent, count, now: now() };
    await resetPassword(db, { token: tokenOf(url), password, ...from });
  } catch (error) {
    // It may have been used a moment ago, and the answer lost: the page says what that means.
    if (error instanceof Refusal && error.code === "identity/link-used") {
      noteRefusal(context, error);
      return redirect(url.pathname + url.search);
    }
    return failureOf(error, { submission, form }, failure, context);
  }
  return redirect("/login", { headers: { "Set-Cookie": await flash("password-changed") } });
}

function tokenOf(url: URL): string {
  return url.searchParams.get("token") ?? "";
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { state, isInvitation } = loaderData;
  if (state !== "open") return <DeadLink state={state} isInvitation={isInvitation} />;
  return (
    <AuthCard
      title={isInvitation ? "Set your password" : "Set a new password"}
      lead={
        isInvitation
          ? "Then sign in with it."
          : "You are signed out everywhere, then sign in with the new one."
      }
    >
      <PasswordForm answer={actionData} />
    </AuthCard>
  );
}

function PasswordForm({ answer }: { answer: Route.ComponentProps["actionData"] }) {
  const field = fieldOf(answer);
  return (
    <AuthForm name="reset-password" answer={answer} button="Set password">
      <PasswordField
        label="Password"
        description={`At least ${terms.minimumPasswordLength} characters`}
        autoComplete="new-password"
        {...field("password")}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        {...field("confirmPassword")}
      />
    </AuthForm>
  );
}

const reasons: Record<Exclude<LinkState, "open">, string> = {
  used: "If you used it, your password is set: log in with it.",
  replaced: "This link no longer works, because a newer one was sent.",
  expired: "This link has expired.",
  unknown: "This link is incomplete or too old. Please copy all of it from the e-mail.",
};

function DeadLink({
  state,
  isInvitation,
}: {
  state: Exclude<LinkState, "open">;
  isInvitation: boolean;
}) {
  const login = <Link to="/login">Log in</Link>;
  const title = state === "used" ? "This link has been used" : "This link does not work";
  return (
    <AuthCard title={title} lead={reasons[state]} links={login}>
      {isInvitation ? (
        <p>Ask the colleague who invited you for a new one.</p>
      ) : (
        <Link to="/forgotpassword">Ask for a new link</Link>
      )}
    </AuthCard>
  );
}
