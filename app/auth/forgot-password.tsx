import { getFormProps, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Anchor, TextInput } from "@mantine/core";
import { Form, Link, redirect, useNavigation } from "react-router";
import { flash } from "#app/ui/flash.ts";
import { field, SubmitButton } from "#app/ui/form-fields.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { requestReset } from "#server/identity/request-reset.ts";
import type { Route } from "./+types/forgot-password";
import { answerHeaders, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { failureOf } from "./failure-of.ts";
import { FormStatus, Pending } from "./form-status.tsx";
import { forgotPasswordForm } from "./forms.ts";
import styles from "./layout.module.css";
import { useAnswer } from "./use-answer.ts";

export const meta = pageMeta({
  title: "Forgot password",
  description:
    "Ask for a link to set a new password. It is sent to the e-mail address of your account.",
  path: "/forgotpassword",
});
export const headers = answerHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: forgotPasswordForm });
  if (submission.status !== "success") return invalid(submission.reply());
  const { db, now } = context.get(appContext);
  const { clientAddress } = context.get(requestContext);
  try {
    await requestReset(db, { ...submission.value, clientAddress, now: now() });
  } catch (error) {
    return failureOf(error, submission, "Failed to send password reset link", context);
  }
  return redirect("/login", { headers: { "Set-Cookie": await flash("reset-link-sent") } });
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const navigation = useNavigation();
  useAnswer(actionData, []);
  const [form, fields] = useForm({
    lastResult: navigation.state === "idle" ? actionData?.result : undefined,
    constraint: getZodConstraint(forgotPasswordForm),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: forgotPasswordForm }),
  });
  return (
    <AuthCard
      title="Forgot password"
      lead="Tell us your e-mail address. If it has an account, a link to set a new password is on its way there."
      links={
        <Anchor component={Link} to="/login" inherit>
          Back to log in
        </Anchor>
      }
    >
      <Form method="post" className={styles.fields} {...getFormProps(form)}>
        <FormStatus answer={actionData} errors={form.errors} id={form.errorId} />
        <TextInput
          label="Email"
          autoComplete="username"
          withAsterisk={false}
          {...field(fields.email, "email")}
        />
        <SubmitButton pendingText={<Pending>Send Reset Link</Pending>}>
          Send Reset Link
        </SubmitButton>
      </Form>
    </AuthCard>
  );
}
