import { Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { may } from "#core/permissions.ts";
import type { App } from "#server/app-context.ts";
import { readMailBody } from "#server/console/mail/read-mail-body.ts";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import { findMail } from "#server/platform/mail/find-mail.ts";
import { forBrowser } from "#server/platform/mail/mark.ts";
import { resendMail } from "#server/platform/mail/resend-mail.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import styles from "./mail-details.module.css";
import { forFrame, MailFrame } from "./mail-frame.tsx";

export const middleware = guard("mail/list", "mail/resend");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Mail");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config, now, app, operator } = consoleOf(context);
  const found = await getMail(app, params.mailId);
  const { bodyText: _text, bodyHtml: _html, ...mail } = found;
  const customer = mail.userId ? await findCustomer(db, mail.userId) : null;
  const customerId = customer?.id ?? null;
  const needed = mail.userId !== customerId ? "mail/read-staff" : "mail/read";
  // With a mail server the only reader is the one whom the mail is for.
  const isPrivate = config.smtpUrl !== null || !may(operator.role, needed);
  const body = isPrivate ? null : await readMailBody(db, operator, found, customerId, now());
  return { mail, customerId, body: body && { ...body, html: forFrame(forBrowser(body.html)) } };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { db, now, app, operator } = consoleOf(context);
  const mail = await getMail(app, params.mailId);
  const customer = mail.userId ? await findCustomer(db, mail.userId) : null;
  const resend = {
    act: "mail/resend" as const,
    subject: `mail:${mail.id}`,
    ...(customer && { customerId: customer.id }),
    detail: { template: mail.template, lastError: mail.lastError },
    now: now(),
  };
  return runAct(
    async () => {
      await actAsOperator(db, operator, resend, (tx, auditId) =>
        resendMail(tx, { mailId: mail.id, auditId }),
      );
      return { to: `/operator/mail/${mail.id}`, say: "mail-queued-again" };
    },
    (said) => ({ fault: said.text }),
    sayRefusal,
  );
}

async function getMail({ db, config }: App, id: string) {
  const mail = found(isUuid(id) ? await findMail(db, id, config.network) : null);
  return mail;
}

export default function MailDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { mail, customerId, body } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader title={mail.subject} description={<Link to="/operator/mail">All mail</Link>} />
      <div className={styles.parts}>
        {actionData?.fault ? (
          <Notice tone="warning" role="alert" title="The mail was not sent again">
            {actionData.fault}
          </Notice>
        ) : null}
        <Panel title="Delivery" aside={<StatusBadge status={mail.state} />}>
          <Facts
            facts={[
              {
                label: "Recipient",
                value: customerId ? (
                  <Link to={`/operator/customers/${customerId}`}>{mail.recipient}</Link>
                ) : (
                  mail.recipient
                ),
              },
              { label: "Template", value: mail.template },
              { label: "Written", value: mail.createdAt },
              {
                label:
                  mail.sentVia === "outbox" ? "Written to the outbox" : "Taken by the mail server",
                value: mail.sentAt,
              },
              { label: "Attempts", value: mail.attempts },
              mail.lastError !== null && {
                label: "Last error",
                value: <span className={styles.error}>{mail.lastError}</span>,
              },
            ]}
          />
          {mail.state === "failed" && may("mail/resend") ? <SendAgain /> : null}
        </Panel>
        {body ? <Body {...body} /> : <BodyIsPrivate />}
      </div>
    </>
  );
}

function SendAgain() {
  return (
    <Form method="post" className={styles.again}>
      <SubmitButton pendingText="Queueing…">Send again</SubmitButton>
      <span className={styles.aside}>
        Starts over with a full set of attempts. Goes to the audit log.
      </span>
    </Form>
  );
}

function Body({ text, html }: { text: string; html: string }) {
  return (
    <div className={styles.body}>
      <Panel title="Text">
        <pre className={styles.text}>{text}</pre>
      </Panel>
      <Panel title="As mail programs show it" flush>
        <MailFrame title="The mail as HTML" html={html} />
      </Panel>
    </div>
  );
}

function BodyIsPrivate() {
  return (
    <Notice>
      What a mail says is shown only while no mail server is configured, and not to every role.
      Links in it open an account, and staff have no use for them.
    </Notice>
  );
}
