import { getFormProps, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Anchor, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import {
  Form,
  Link,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useSearchParams,
} from "react-router";
import { checkbox, field, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PasskeyButton } from "#app/ui/passkey-button.tsx";
import { signedOutWords } from "#core/signed-out.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { passkeySite } from "#server/identity/passkey-site.ts";
import { type NextStep, signIn } from "#server/identity/sign-in.ts";
import { whySignedOut } from "#server/identity/sign-in-first.ts";
import type { Route } from "./+types/login";
import { answerHeaders, done, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { EnhancedField, isEnhanced } from "./enhanced.tsx";
import { failureOf } from "./failure-of.ts";
import { FormStatus, Pending } from "./form-status.tsx";
import { signInForm } from "./forms.ts";
import styles from "./layout.module.css";
import { nextPage } from "./next-page.ts";
import { signedInHome } from "./signed-in-home.ts";
import { useAnswer } from "./use-answer.ts";

export const meta = pageMeta({
  title: "Log in",
  description: "Sign in to your account: balances, deposits, and the evidence behind every figure.",
  path: "/login",
});
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const home = await signedInHome(request, url, context);
  if (home) throw redirect(home);
  const app = context.get(appContext);
  return {
    passkeys: passkeySite(app.config) !== null,
    signedOut: url.searchParams.has("next") ? await whySignedOut(app, request) : null,
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: signInForm });
  if (submission.status !== "success")
    return invalid(submission.reply({ hideFields: ["password"] }));
  const app = context.get(appContext);
  try {
    const { user, cookies, step } = await signIn(app, {
      ...submission.value,
      clientAddress: context.get(requestContext).clientAddress,
      userAgent: request.headers.get("user-agent") ?? "",
      cookieHeader: request.headers.get("cookie") ?? "",
      now: app.now(),
    });
    if (step !== "signed-in") return toSecondFactor(step, url.searchParams.get("next"), cookies);
    return done({
      result: submission.reply({ resetForm: true }),
      next: nextPage(url.searchParams.get("next"), user.kind),
      cookies,
      enhanced: isEnhanced(form),
      said: ["signed-in"],
    });
  } catch (error) {
    return failureOf(error, submission, "Login failed", context);
  }
}

/** The password was right: the second factor has a page of its own, and there is no session before it. */
function toSecondFactor(
  step: Exclude<NextStep, "signed-in">,
  next: string | null,
  cookies: string[],
) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return redirect(`/login/${step}${next ? `?next=${encodeURIComponent(next)}` : ""}`, { headers });
}

/** The page stays as it is until its own wait is over, though somebody is signed in by then. */
export function shouldRevalidate({
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formMethod === undefined && defaultShouldRevalidate;
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const next = params.get("next");
  const navigation = useNavigation();
  useAnswer(actionData, [{ text: "Login successful", tone: "success" }]);
  const [form, fields] = useForm({
    lastResult: navigation.state === "idle" ? actionData?.result : undefined,
    constraint: getZodConstraint(signInForm),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: signInForm }),
  });
  const underWay = navigation.formMethod === "POST" || actionData?.next !== undefined;
  return (
    <AuthCard title="Log in" lead="Welcome back." links={<LoginLinks />}>
      <Form method="post" className={styles.fields} {...getFormProps(form)}>
        <EnhancedField />
        {loaderData.signedOut ? (
          <Notice title="You were signed out">
            {signedOutWords[loaderData.signedOut]} Sign in, and you are back where you were.
          </Notice>
        ) : null}
        <FormStatus answer={actionData} errors={form.errors} id={form.errorId} />
        <TextInput
          label="Email"
          autoComplete="username"
          withAsterisk={false}
          {...field(fields.email, "email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          withAsterisk={false}
          {...field(fields.password, "password")}
        />
        <div className={styles.row}>
          <Checkbox label="Remember Me" {...checkbox(fields.rememberMe)} />
          <Anchor component={Link} to="/forgotpassword" size="sm">
            Forgot Password
          </Anchor>
        </div>
        <SubmitButton pending={underWay} pendingText={<Pending>Log in</Pending>}>
          Log in
        </SubmitButton>
      </Form>
      {loaderData.passkeys ? (
        <PasskeyButton
          purpose="sign-in"
          action={`/login/passkey${next ? `?next=${encodeURIComponent(next)}` : ""}`}
          label="Sign in with a passkey"
        />
      ) : null}
    </AuthCard>
  );
}

function LoginLinks() {
  return (
    <>
      <Anchor component={Link} to="/" reloadDocument inherit>
        Home
      </Anchor>
      <Anchor component={Link} to="/signup" inherit>
        Register
      </Anchor>
    </>
  );
}
