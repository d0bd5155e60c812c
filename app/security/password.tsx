import { getFormProps, useForm } from "@conform-to/react";
import { PasswordInput } from "@mantine/core";
import { data, Form, Link, type RouterContextProvider } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { FormAlert, field, SubmitButton } from "#app/ui/form-fields.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { constraintsOf, parseForm } from "#app/ui/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { changePassword } from "#server/identity/change-password.ts";
import { factorFault } from "#server/identity/factor-fault.ts";
import { requireFreshSecondFactor, sessionContext } from "#server/identity/fresh-factor.ts";
import { passwordFault } from "#server/identity/password-quality.ts";
import type { Route } from "./+types/password";
import { actorOf } from "./actor-of.ts";
import { passwordSchema } from "./password-schema.ts";
import { said } from "./said.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Change password");
export const headers = answerHeaders;

export function loader({ url, context }: Route.LoaderArgs) {
  requireFactor(context, url);
  return { root: securityRoot(context) };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  // Nothing is lost by it: passwords are typed again anyway.
  requireFactor(context, url);
  const submission = parseForm(await request.formData(), { schema: passwordSchema });
  const hideFields = ["current", "password", "confirmPassword"];
  if (submission.status !== "success") return data(submission.reply({ hideFields }), 400);
  const actor = actorOf(request, context);
  try {
    const { cookies } = await changePassword(context.get(appContext), actor, submission.value);
    return await said("password-replaced", securityRoot(context), cookies);
  } catch (error) {
    const fault = error instanceof Refusal ? passwordFault(error) : null;
    if (fault)
      return data(submission.reply({ fieldErrors: { password: [fault] }, hideFields }), 400);
    noteRefusal(context, error);
    const { words, ...init } = factorFault(error, actor.now);
    const said =
      init.status === 400 ? { fieldErrors: { current: [words] } } : { formErrors: [words] };
    return data(submission.reply({ ...said, hideFields }), init);
  }
}

/** Who has a second factor shows it besides the password; who has none is asked for the password by the form. */
function requireFactor(context: Readonly<RouterContextProvider>, url: URL): void {
  if (context.get(sessionContext).session.provedBy === "password") return;
  requireFreshSecondFactor(context, url, context.get(appContext).now());
}

export default function Password({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm({
    id: "new-password",
    lastResult: actionData,
    constraint: constraintsOf(passwordSchema),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: passwordSchema }),
  });
  const fresh = { autoComplete: "new-password", withAsterisk: false };
  return (
    <>
      <PageHeader
        title="Change password"
        description={
          <>
            Everybody else is signed out, and no money can leave for 24 hours.{" "}
            <Link to={loaderData.root}>Back to security</Link>
          </>
        }
      />
      <div className={styles.narrow}>
        <Panel>
          <Form method="post" className={styles.fields} {...getFormProps(form)}>
            <FormAlert errors={form.errors} id={form.errorId} />
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              withAsterisk={false}
              {...field(fields.current, "password")}
            />
            <PasswordInput
              label="New password"
              {...fresh}
              {...field(fields.password, "password")}
            />
            <PasswordInput
              label="Confirm new password"
              {...fresh}
              {...field(fields.confirmPassword, "password")}
            />
            <div>
              <SubmitButton pendingText="Changing…">Change password</SubmitButton>
            </div>
          </Form>
        </Panel>
      </div>
    </>
  );
}
