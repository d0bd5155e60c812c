import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "react-router";
import { Facts } from "#app/ui/facts.tsx";
import { flash } from "#app/ui/flash.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { listActsOnCustomer } from "#server/console/audit/queries.ts";
import { findCustomerFacts } from "#server/console/customers/queries.ts";
import { findOwnTestimonial } from "#server/content/queries.ts";
import { depositTotals, listDeposits } from "#server/deposits/queries.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { isFrozen } from "#server/identity/queries.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { setDashboardMessage } from "#server/identity/set-dashboard-message.ts";
import { getBalances, listStatement } from "#server/ledger/queries.ts";
import { listMails } from "#server/platform/mail/queries.ts";
import type { Route } from "./+types/customer";
import { AccessPanel } from "./access-panel.tsx";
import { BalanceTable } from "./balance-table.tsx";
import { ConsoleError } from "./console-error.tsx";
import { InvitePanel } from "./content/invite-panel.tsx";
import styles from "./customer.module.css";
import { CustomerActs, CustomerDeposits, CustomerMails } from "./customer-lists.tsx";
import { DashboardMessageForm } from "./dashboard-message-form.tsx";
import { dashboardMessageSchema } from "./dashboard-message-schema.ts";
import { StatementTable } from "./statement-table.tsx";
import { useMay } from "./use-may.ts";

const statementSize = 25;
const listSize = 10;

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("customers/read", {
    preview: "identity/set-dashboard-message",
    message: "identity/set-dashboard-message",
  }),
];
export const ErrorBoundary = ConsoleError;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.customer.name ?? "Customer";
  return [{ title: `${name} · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  const id = params.customerId;
  const customer = await findCustomerFacts(db, id, at);
  if (!customer) throw data(null, { status: 404, statusText: "Not Found" });
  const after = new URL(request.url).searchParams.get("after") ?? undefined;
  const lines = await listStatement(db, id, { after, limit: statementSize + 1 });
  const statement = lines.slice(0, statementSize);
  return {
    customer,
    now: at,
    statement,
    after: lines.length > statementSize ? (statement.at(-1)?.cursor ?? null) : null,
    balances: await getBalances(db, id),
    totals: await depositTotals(db, id),
    deposits: await listDeposits(db, id, { show: listSize }),
    mails: await listMails(db, { userId: id, limit: 5 }),
    frozen: await isFrozen(db, id),
    testimonialId: (await findOwnTestimonial(db, id))?.id ?? null,
    acts: await listActsOnCustomer(db, id, { limit: listSize }),
  };
}

/** The one thing that staff set here: the dashboard message. Balances and profits come from the journal alone. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: dashboardMessageSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  if (form.get("intent") === "preview") return submission.reply();
  const { text, expiresAt = null } = submission.value;
  const message = { customerId: params.customerId, text, expiresAt };
  try {
    await setDashboardMessage(db, context.get(operatorContext), message, now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data(submission.reply(replyTo(error)), 400);
  }
  const headers = { "Set-Cookie": await flash("message-saved") };
  return redirect(`/operator/customers/${params.customerId}`, { headers });
}

function replyTo(refusal: Refusal) {
  if (refusal.code === "identity/message-already-expired") {
    return { fieldErrors: { expiresAt: ["This moment has passed already"] } };
  }
  return { formErrors: ["The message could not be saved. Nothing was changed."] };
}

export default function CustomerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { customer, now, balances, totals, deposits, statement, after, mails, acts } = loaderData;
  const { testimonialId } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader title={customer.name} description={customer.email} />
      <div className={styles.page}>
        <div className={styles.figures}>
          <BalanceTable balances={balances} totals={totals} />
          <CustomerDeposits {...deposits} />
          <StatementTable lines={statement} after={after} />
          <CustomerMails mails={mails} email={customer.email} />
        </div>
        <div className={styles.person}>
          <Panel title="Profile">
            <Facts
              facts={[
                {
                  label: "E-mail",
                  value: (
                    <StatusBadge status={customer.emailVerified ? "verified" : "unverified"} />
                  ),
                },
                { label: "Registered", value: <When at={customer.createdAt} /> },
                { label: "Terms accepted", value: <When at={customer.acceptedTermsAt} /> },
                { label: "Signed in on", value: browsers(customer.sessions) },
                { label: "Id", value: <code className={styles.id}>{customer.id}</code> },
              ]}
            />
          </Panel>
          <Panel title="Dashboard message">
            {may("identity/set-dashboard-message") ? (
              <DashboardMessageForm
                key={customer.dashboardMessage}
                saved={{
                  message: customer.dashboardMessage,
                  expiresAt: customer.dashboardMessageExpiresAt,
                }}
                depositTotalCents={totals.totalUsdCents}
                now={now}
                lastResult={actionData}
              />
            ) : (
              <DashboardMessage
                message={customer.dashboardMessage}
                expiresAt={customer.dashboardMessageExpiresAt}
              />
            )}
          </Panel>
          <AccessPanel customerId={customer.id} frozen={loaderData.frozen} />
          <InvitePanel customerId={customer.id} openId={testimonialId} />
          <CustomerActs acts={acts} customerId={customer.id} />
        </div>
      </div>
    </>
  );
}

function DashboardMessage({ message, expiresAt }: { message: string; expiresAt: Date | null }) {
  if (message === "") return <p className={styles.none}>None.</p>;
  return (
    <Facts
      facts={[
        { label: "Words", value: message },
        expiresAt !== null && { label: "Ends", value: <When at={expiresAt} /> },
      ]}
    />
  );
}

function browsers(count: number): string {
  if (count === 0) return "no browser";
  return count === 1 ? "1 browser" : `${count} browsers`;
}
