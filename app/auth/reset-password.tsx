import { getFormProps, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Anchor, PasswordInput } from "@mantine/core";
import { Form, Link, redirect, useNavigation } from "react-router";
import { flash } from "#app/ui/flash.ts";
import { field, SubmitButton } from "#app/ui/form-fields.tsx";
import { titled } from "#app/ui/page-title.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { limits } from "#server/identity/limits.ts";
import { passwordLinks, resetPassword } from "#server/identity/reset-password.ts";
import { inspectLink, type LinkState } from "#server/identity/use-link.ts";
import { countAttempt, placeOf } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/reset-password";
import { answerHeaders, invalid } from "./answer.ts";
import { AuthCard } from "./auth-card.tsx";
import { failureOf } from "./failure-of.ts";
import { FormStatus, Pending } from "./form-status.tsx";
import { resetPasswordForm } from "./forms.ts";
import styles from "./layout.module.css";
import { useAnswer } from "./use-answer.ts";

export const meta = titled("Set a new password");

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
  const submission = parseWithZod(await request.formData(), { schema: resetPasswordForm });
  const hideFields = ["password", "confirmPassword"];
  if (submission.status !== "success") return invalid(submission.reply({ hideFields }));
  const { db, config, now } = context.get(appContext);
  try {
    const { clientAddress } = context.get(requestContext);
    await countAttempt(db, limits.linkByPlace, placeOf(clientAddress), now());
    const { password } = submission.value;
    const userAgent = request.headers.get("user-agent") ?? "";
    const from = { site: config, clientAddress, userAgent, now: now() };
    await resetPassword(db, { token: tokenOf(url), password, ...from });
  } catch (error) {
    return failureOf(error, submission, "The password was not changed", context);
  }
  return redirect("/login", { headers: { "Set-Cookie": await flash("password-changed") } });
}

function tokenOf(url: URL): string {
  return url.searchParams.get("token") ?? "";
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  useAnswer(actionData, []);
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
  const navigation = useNavigation();
  const [form, fields] = useForm({
    lastResult: navigation.state === "idle" ? answer?.result : undefined,
    constraint: getZodConstraint(resetPasswordForm),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: resetPasswordForm }),
  });
  const common = { autoComplete: "new-password", withAsterisk: false };
  return (
    <Form method="post" className={styles.fields} {...getFormProps(form)}>
      <FormStatus answer={answer} errors={form.errors} id={form.errorId} />
      <PasswordInput label="Password" {...common} {...field(fields.password, "password")} />
      <PasswordInput
        label="Confirm Password"
        {...common}
        {...field(fields.confirmPassword, "password")}
      />
      <SubmitButton pendingText={<Pending>Set password</Pending>}>Set password</SubmitButton>
    </Form>
  );
}

const reasons: Record<Exclude<LinkState, "open">, string> = {
  used: "This link has been used already. It works once.",
  replaced: "This link no longer works, because a newer one was sent.",
  expired: "This link has expired.",
  unknown: "This link is not complete, or it is too old. Please copy it from the mail as a whole.",
};

function DeadLink({
  state,
  isInvitation,
}: {
  state: Exclude<LinkState, "open">;
  isInvitation: boolean;
}) {
  const login = (
    <Anchor component={Link} to="/login" inherit>
      Log in
    </Anchor>
  );
  return (
    <AuthCard title="This link does not work" lead={reasons[state]} links={login}>
      {isInvitation ? (
        <p>Ask whoever invited you for a new one.</p>
      ) : (
        <Anchor component={Link} to="/forgotpassword" inherit>
          Ask for a new link
        </Anchor>
      )}
    </AuthCard>
  );
}
