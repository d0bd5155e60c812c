import { data, Link } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { listActsOnCustomer } from "#server/console/audit/list-audit-choices.ts";
import { findOwnTestimonial } from "#server/content/find-own-testimonial.ts";
import { depositTotals } from "#server/deposits/get-deposit-totals.ts";
import { findSettings } from "#server/identity/settings/change-settings.ts";
import {
  markOfMessage,
  setDashboardMessage,
} from "#server/identity/settings/set-dashboard-message.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { findLeaving } from "#server/personal-data/find-closing.ts";
import { InvitePanel } from "../content/invite-panel.tsx";
import { counted } from "../parts/counted.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import { BalanceTable } from "./balance-table.tsx";
import styles from "./customer.module.css";
import { CustomerActs } from "./customer-lists.tsx";
import { DashboardMessageForm } from "./dashboard-message-form.tsx";
import { dashboardMessageSchema } from "./dashboard-message-schema.ts";
import { CustomerFrame } from "./frame.tsx";
import { LeavingPanel } from "./leaving-panel.tsx";
import { readSection } from "./read-section.ts";

const listSize = 10;

export const middleware = guard("customers/read", {
  preview: "identity/set-dashboard-message",
  message: "identity/set-dashboard-message",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.frame.customer.name ?? "Customer";
  return [{ title: `${name} · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db, id, at } = await readSection(context, params.customerId);
  const [settings, balances, totals, leaving, testimonial, acts] = await Promise.all([
    findSettings(db, id),
    getBalances(db, id),
    depositTotals(db, id),
    findLeaving(db, id),
    findOwnTestimonial(db, id),
    listActsOnCustomer(db, id, { limit: listSize }),
  ]);
  return {
    frame,
    now: at,
    settings: { phone: settings.phone, timeZone: settings.timeZone },
    balances,
    totals,
    leaving,
    messageMark: markOfMessage({
      text: frame.customer.dashboardMessage,
      expiresAt: frame.customer.dashboardMessageExpiresAt,
    }),
    testimonialId: testimonial?.id ?? null,
    acts,
  };
}

/** The one thing that staff set here: the dashboard message. Balances and profits come from the ledger alone. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const submission = parseForm(form, { schema: dashboardMessageSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  if (form.get("intent") === "preview") return submission.reply();
  const { expiresAt = null, ...typed } = submission.value;
  const message = { customerId: params.customerId, expiresAt, ...typed };
  return runAct(
    async () => {
      await setDashboardMessage(db, operator, message, now());
      return { to: `/operator/customers/${params.customerId}`, say: "message-saved" };
    },
    (said) => submission.reply(errorsOf(said, form)),
    sayRefusal,
  );
}

export default function CustomerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, now, settings, balances, totals, acts, testimonialId } = loaderData;
  const { customer } = frame;
  const saved = {
    message: customer.dashboardMessage,
    expiresAt: customer.dashboardMessageExpiresAt,
  };
  const mark = loaderData.messageMark;
  const seen = actionData?.initialValue?.["seen"];
  const may = useMay();
  const mayWrite = may("identity/set-dashboard-message");
  return (
    <CustomerFrame frame={frame}>
      <div className={layout.main}>
        <div className={layout.stack}>
          <BalanceTable balances={balances} totals={totals} />
          <LeavingPanel leaving={loaderData.leaving} />
          <CustomerActs acts={acts} customerId={customer.id} />
        </div>
        <div className={layout.stack}>
          <Panel title="Profile">
            <Facts
              facts={[
                {
                  label: "E-mail",
                  value: (
                    <StatusBadge status={customer.emailVerified ? "verified" : "unverified"} />
                  ),
                },
                { label: "Phone", value: settings.phone ?? "None" },
                { label: "Time zone", value: settings.timeZone ?? "Of the device" },
                { label: "Registered", value: customer.createdAt },
                { label: "Terms accepted", value: customer.acceptedTermsAt },
                {
                  label: "Signed in on",
                  value:
                    customer.sessions === 0 ? "no browser" : counted(customer.sessions, "browser"),
                },
                { label: "Id", value: <code className={styles.id}>{customer.id}</code> },
              ]}
            />
          </Panel>
          <Panel title="Dashboard message">
            <div className={layout.stack}>
              {mayWrite && (seen ?? mark) === mark ? null : <DashboardMessage {...saved} />}
              {mayWrite ? (
                <DashboardMessageForm
                  key={mark}
                  saved={{ ...saved, mark }}
                  depositTotalCents={totals.totalUsdCents}
                  now={now}
                  lastResult={actionData}
                />
              ) : null}
            </div>
          </Panel>
          {may("adjustments/propose") ? (
            <Panel title="Goodwill or a subsidy">
              <Link to={`/operator/adjustments/new?customer=${customer.id}`}>
                Propose to give something of the operator's own money
              </Link>
            </Panel>
          ) : null}
          <InvitePanel customerId={customer.id} openId={testimonialId} />
        </div>
      </div>
    </CustomerFrame>
  );
}

function DashboardMessage({ message, expiresAt }: { message: string; expiresAt: Date | null }) {
  if (message === "") return <p className={styles.none}>None.</p>;
  return (
    <Facts
      facts={[
        { label: "Words", value: message },
        { label: "Ends", value: expiresAt },
      ]}
    />
  );
}
