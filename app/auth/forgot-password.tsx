import { Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { flash } from "#app/ui/toasts/flash.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { requestReset } from "#server/identity/passwords/request-reset.ts";
import type { Route } from "./+types/forgot-password";
import { invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { AuthForm, fieldOf } from "./auth-form.tsx";
import { effortOf } from "./effort-of.ts";
import { failureOf, unseen } from "./failure-of.ts";
import { forgotPasswordForm } from "./forms.ts";

export const meta = pageMeta({
  title: "Forgot password",
  description:
    "Ask for a link to set a new password. It is sent to the e-mail address of your account.",
  path: "/forgotpassword",
});
export const headers = answerHeaders;

const failure = "Failed to send password reset link";

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseForm(form, { schema: forgotPasswordForm });
  if (submission.status !== "success") return invalid(submission.reply({ hideFields: unseen }));
  const app = context.get(appContext);
  const { db, now } = app;
  const { clientAddress } = context.get(requestContext);
  try {
    const effort = await effortOf(app, form);
    await requestReset(db, { ...submission.value, clientAddress, effort, now: now() });
  } catch (error) {
    return failureOf(error, { submission, form }, failure, context);
  }
  return redirect("/login", { headers: { "Set-Cookie": await flash("reset-link-sent") } });
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const field = fieldOf(actionData);
  return (
    <AuthCard
      title="Forgot password"
      lead="Tell us your e-mail address. If it has an account, a link to set a new password is on its way there."
      links={<Link to="/login">Back to log in</Link>}
    >
      <AuthForm
        name="forgot-password"
        answer={actionData}
        failure={failure}
        button="Send Reset Link"
      >
        <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
      </AuthForm>
    </AuthCard>
  );
}
