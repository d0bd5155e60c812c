import { getFormProps, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Anchor, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import {
  Form,
  Link,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
} from "react-router";
import { checkbox, field, SubmitButton } from "#app/ui/form-fields.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { terms } from "#core/terms.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { signUp } from "#server/identity/sign-up.ts";
import type { Route } from "./+types/signup";
import { answerHeaders, done, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { EnhancedField, isEnhanced } from "./enhanced.tsx";
import { failureOf } from "./failure-of.ts";
import { FormStatus, Pending } from "./form-status.tsx";
import { signUpForm } from "./forms.ts";
import styles from "./layout.module.css";
import { nextPage } from "./next-page.ts";
import { signedInHome } from "./signed-in-home.ts";
import { useAnswer } from "./use-answer.ts";

export const meta = pageMeta({
  title: "Register",
  description: `Open an account with a name, an e-mail address and a password. For people of ${terms.minimumAge} or older, outside the United States.`,
  path: "/signup",
});
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const home = await signedInHome(request, url, context);
  if (home) throw redirect(home);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: signUpForm });
  const hideFields = ["password", "confirmPassword"];
  if (submission.status !== "success") return invalid(submission.reply({ hideFields }));
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
      now: app.now(),
    });
    return done({
      result: submission.reply({ resetForm: true }),
      next: nextPage(null, "customer"),
      cookies,
      enhanced: isEnhanced(form),
      said: ["verification-sent", "registered"],
    });
  } catch (error) {
    return failureOf(error, submission, "registration failed", context);
  }
}

/** The page stays as it is until its own wait is over, though somebody is signed in by then. */
export function shouldRevalidate({
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formMethod === undefined && defaultShouldRevalidate;
}

const success = [
  { text: "email verification sent", tone: "info" as const },
  { text: "registration successful", tone: "success" as const },
];

export default function SignUp({ actionData }: Route.ComponentProps) {
  const navigation = useNavigation();
  useAnswer(actionData, success);
  const [form, fields] = useForm({
    lastResult: navigation.state === "idle" ? actionData?.result : undefined,
    constraint: getZodConstraint(signUpForm),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: signUpForm }),
  });
  const underWay = navigation.formMethod === "POST" || actionData?.next !== undefined;
  const plain = { withAsterisk: false };
  return (
    <AuthCard title="Register" lead="Open an account. It takes a minute." links={<SignUpLinks />}>
      <Form method="post" className={styles.fields} {...getFormProps(form)}>
        <EnhancedField />
        <FormStatus answer={actionData} errors={form.errors} id={form.errorId} />
        <div className={styles.pair}>
          <TextInput
            label="Firstname"
            autoComplete="given-name"
            {...plain}
            {...field(fields.firstName)}
          />
          <TextInput
            label="Lastname"
            autoComplete="family-name"
            {...plain}
            {...field(fields.lastName)}
          />
        </div>
        <TextInput
          label="Email"
          autoComplete="username"
          {...plain}
          {...field(fields.email, "email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          {...plain}
          {...field(fields.password, "password")}
        />
        <PasswordInput
          label="Confirm Password"
          autoComplete="new-password"
          {...plain}
          {...field(fields.confirmPassword, "password")}
        />
        <Checkbox label={<AcceptedTerms />} {...checkbox(fields.acceptedTerms)} />
        <SubmitButton pending={underWay} pendingText={<Pending>Register</Pending>}>
          Register
        </SubmitButton>
      </Form>
    </AuthCard>
  );
}

/** The terms open in a tab of their own: what was typed here stays. */
function AcceptedTerms() {
  return (
    <>
      I am {terms.minimumAge} or older and accept the{" "}
      <Anchor component={Link} to="/terms" target="_blank" inherit>
        terms &amp; conditions
      </Anchor>{" "}
      and{" "}
      <Anchor component={Link} to="/terms" target="_blank" inherit>
        privacy policy
      </Anchor>
    </>
  );
}

function SignUpLinks() {
  return (
    <>
      <Anchor component={Link} to="/" reloadDocument inherit>
        Home
      </Anchor>
      <span>
        Already have an account?{" "}
        <Anchor component={Link} to="/login" inherit>
          Signin
        </Anchor>
      </span>
    </>
  );
}
