import { data, Form, Link, type RouterContextProvider } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { changePassword } from "#server/identity/passwords/change-password.ts";
import { passwordFault } from "#server/identity/passwords/password-quality.ts";
import { requireFreshMfa, sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import type { Route } from "./+types/password";
import { actorOf } from "./actor-of.ts";
import { passwordSchema } from "./password-schema.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Change password");
export const headers = answerHeaders;

export function loader({ url, context }: Route.LoaderArgs) {
  requireStepUp(context, url);
  const root = securityRoot(context);
  return { root, isCustomer: root.startsWith("/account") };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  // Nothing is lost by it: passwords are typed again anyway.
  requireStepUp(context, url);
  const submission = parseForm(await request.formData(), { schema: passwordSchema });
  const hideFields = ["current", "password", "confirmPassword"];
  if (submission.status !== "success") return data(submission.reply({ hideFields }), 400);
  const actor = actorOf(request, context);
  return runAct(
    async () => {
      const { cookies } = await changePassword(context.get(appContext), actor, submission.value);
      return { to: securityRoot(context), say: "password-replaced", cookies };
    },
    ({ text, status }, refusal) => {
      const fault = passwordFault(refusal);
      if (fault) return submission.reply({ fieldErrors: { password: [fault] }, hideFields });
      noteRefusal(context, refusal);
      const said = status === 400 ? { fieldErrors: { current: [text] } } : { formErrors: [text] };
      return submission.reply({ ...said, hideFields });
    },
    sayFactor(actor.now),
  );
}

/** Who has a second factor shows it besides the password; who has none is asked for the password by the form. */
function requireStepUp(context: Readonly<RouterContextProvider>, url: URL): void {
  if (context.get(sessionContext).session.provedBy === "password") return;
  requireFreshMfa(context, url, context.get(appContext).now());
}

export default function Password({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm({
    id: "new-password",
    lastResult: actionData,
    checksOnLeave: true,
    rules: async () => (await import("./password-schema.ts")).passwordSchema,
  });
  const fresh = { autoComplete: "new-password", required: true };
  return (
    <>
      <PageHeader
        title="Change password"
        description={
          <>
            {loaderData.isCustomer
              ? "You are signed out everywhere else, and withdrawals are paused for 24 hours. "
              : "You are signed out everywhere else. "}
            <Link to={loaderData.root}>Back to security</Link>
          </>
        }
      />
      <div className={styles.narrow}>
        <Panel>
          <Form method="post" className={styles.fields} {...form.props}>
            <FormAlert errors={form.errors} />
            <PasswordField
              label="Current password"
              required
              autoComplete="current-password"
              {...form.field("current")}
            />
            <PasswordField label="New password" {...fresh} {...form.field("password")} />
            <PasswordField
              label="Confirm new password"
              {...fresh}
              {...form.field("confirmPassword")}
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
