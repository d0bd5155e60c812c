import { Link, redirect } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { wantsAnswer } from "#app/plain-page.ts";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { terms } from "#core/terms.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { signUp } from "#server/identity/registration/sign-up.ts";
import type { Route } from "./+types/signup";
import { done, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { AuthForm, checkOf, fieldOf } from "./auth-form.tsx";
import { effortOf } from "./effort-of.ts";
import { failureOf, unseen } from "./failure-of.ts";
import { signUpForm } from "./forms.ts";
import styles from "./layout.module.css";
import { nextPage } from "./next-page.ts";
import { signedInHome } from "./signed-in-home.ts";

export const meta = pageMeta({
  title: "Register",
  description: `Open an account with a name, an e-mail address and a password. For people of ${terms.minimumAge} or older, outside the United States.`,
  path: "/signup",
});
export const headers = answerHeaders;

const failure = "registration failed";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const home = wantsAnswer(request) ? null : await signedInHome(request, url, context);
  if (home) throw redirect(home);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseForm(form, { schema: signUpForm });
  if (submission.status !== "success") return invalid(submission.reply({ hideFields: unseen }));
  const app = context.get(appContext);
  const { firstName, lastName, email, password } = submission.value;
  try {
    const { cookies } = await signUp(app, {
      firstName,
      lastName,
      email,
      password,
      clientAddress: context.get(requestContext).clientAddress,
      userAgent: request.headers.get("user-agent") ?? "",
      effort: await effortOf(app, form),
      now: app.now(),
    });
    return done(request, {
      next: nextPage(null, "customer"),
      cookies,
      said: ["verification-sent", "registered"],
    });
  } catch (error) {
    return failureOf(error, { submission, form }, failure, context);
  }
}

export default function SignUp({ actionData }: Route.ComponentProps) {
  const field = fieldOf(actionData);
  const check = checkOf(actionData);
  return (
    <AuthCard title="Register" lead="Open an account. It takes a minute." links={<SignUpLinks />}>
      <AuthForm name="sign-up" answer={actionData} failure={failure} button="Register">
        <div className={styles.pair}>
          <TextField label="Firstname" autoComplete="given-name" {...field("firstName")} />
          <TextField label="Lastname" autoComplete="family-name" {...field("lastName")} />
        </div>
        <TextField label="Email" type="email" autoComplete="username" {...field("email")} />
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
        <p className={layout.note}>
          The service is not available to residents of the United States.
        </p>
        <CheckField label={<AcceptedTerms />} {...check("acceptedTerms")} />
      </AuthForm>
    </AuthCard>
  );
}

/** The terms open in a tab of their own: what was typed here stays. */
function AcceptedTerms() {
  return (
    <>
      I am {terms.minimumAge} or older and accept the{" "}
      <Link to="/terms" target="_blank">
        terms &amp; conditions
      </Link>{" "}
      and{" "}
      <Link to="/terms" target="_blank">
        privacy policy
      </Link>
    </>
  );
}

function SignUpLinks() {
  return (
    <>
      <Link to="/">Home</Link>
      <span>
        Already have an account? <Link to="/login">Signin</Link>
      </span>
    </>
  );
}
