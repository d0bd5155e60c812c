import { data, Form, Link, redirect } from "react-router";
import { runAct } from "#app/run-act.ts";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { isUuid } from "#core/is-uuid.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import { sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import { findOpenView, listViews } from "#server/identity/viewing/list-views.ts";
import { endViews, startView } from "#server/identity/viewing/view-as-customer.ts";
import list from "../parts/console-list.module.css";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/view";
import lists from "./customer-lists.module.css";
import styles from "./frame.module.css";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware = guard("customers/read", {
  start: "identity/view-as-customer",
  end: "identity/view-as-customer",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("View as a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { operator } = consoleOf(context);
  const { session } = context.get(sessionContext);
  const { frame, db } = await readSection(context, params.customerId);
  const [open, views] = await Promise.all([
    findOpenView(db, { operatorId: operator.id, sessionId: session.id }),
    listViews(db, frame.customer.id, 100),
  ]);
  return { frame, endsAt: open?.customerId === frame.customer.id ? open.endsAt : null, views };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const now = app.now();
  const { session } = context.get(sessionContext);
  const form = await request.formData();
  const { customerId } = params;
  if (form.get("intent") === "end") {
    await endViews(app.db, { sessionId: session.id, now });
    const headers = { "Set-Cookie": await flash("view-ended") };
    return redirect(`/operator/customers/${customerId}`, { headers });
  }
  const reason = String(form.get("reason") ?? "")
    .replaceAll("\0", "")
    .trim();
  const refuse = (fault: string) => data({ reason, fault }, 400);
  if (reason === "") return refuse("Write the reason that the customer reads.");
  if (reason.length > 1000) return refuse("At most 1000 characters.");
  if (!isUuid(customerId)) throw notFound();
  return runAct(
    async () => {
      await startView(app, operator, { sessionId: session.id, customerId, reason, now });
      return { to: "/account/dashboard" };
    },
    (said) => ({ reason, fault: said.text }),
    sayRefusal,
  );
}

export default function CustomerView({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, endsAt, views } = loaderData;
  const may = useMay();
  return (
    <CustomerFrame frame={frame}>
      <div className={`${layout.stack} ${styles.reading}`}>
        {endsAt ? <Open endsAt={endsAt} /> : null}
        {may("identity/view-as-customer") && !endsAt ? <Start answer={actionData} /> : null}
        <Panel title="Who looked, and why" flush>
          {views.length === 0 ? <p className={list.empty}>Not viewed yet.</p> : null}
          <ul className={layout.plain}>
            {views.map((view) => (
              <li key={view.id} className={lists.entry}>
                <div className={layout.quiet}>
                  {view.operatorName}, from <When at={view.startedAt} />
                </div>
                <div className={layout.quiet}>
                  Until <When at={view.endedAt ?? view.endsAt} />
                </div>
                <p className={styles.words}>{view.reason}</p>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </CustomerFrame>
  );
}

function Open({ endsAt }: { endsAt: Date }) {
  return (
    <Notice tone="info" title="Your view of this account is open">
      <Form method="post" className={layout.form}>
        <span>
          In this session only. <Link to="/account/dashboard">Go to the customer's pages</Link>,
          until <When at={endsAt} />
        </span>
        <div>
          <SubmitButton name="intent" value="end" look="quiet" size="small">
            End the view
          </SubmitButton>
        </div>
      </Form>
    </Notice>
  );
}

function Start({ answer }: { answer: { reason: string; fault: string } | undefined }) {
  return (
    <Panel title="See the account as its customer does">
      <Form method="post" className={layout.form}>
        <FormAlert errors={answer ? [answer.fault] : null} />
        <p className={styles.note}>
          For at most {securityTerms.customerViewMinutes} minutes you can read the pages of this
          account, and do nothing there. The phrase, recovery codes and files are not shown. The
          customer is told at once by mail, on the dashboard and in the account's history.
        </p>
        <TextArea
          name="reason"
          label="Reason"
          description="The customer reads it"
          rows={2}
          required
          maxLength={1000}
          defaultValue={answer?.reason ?? ""}
        />
        <div>
          <SubmitButton name="intent" value="start" pendingText="Opening…">
            Tell the customer and look
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
