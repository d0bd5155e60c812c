import { randomUUID } from "node:crypto";
import { data, Link, redirect } from "react-router";
import { flash } from "#app/ui/flash.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { findCustomerFacts } from "#server/console/customers/queries.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { ConsoleError } from "../console-error.tsx";
import tabs from "../tabs.module.css";
import type { Route } from "./+types/new";
import styles from "./adjustments.module.css";
import { FundingForm, GiftForm } from "./proposal-form.tsx";
import { type ProposalAnswer, receiveProposal } from "./receive-proposal.ts";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("adjustments/propose", "adjustments/propose"),
];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Propose an adjustment");
export const handle = { keys: [{ key: "q", does: "queue" }] };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const wanted = url.searchParams.get("customer");
  const customer = wanted ? await findCustomerFacts(db, wanted, now()) : null;
  return {
    submissionKey: randomUUID(),
    isFunding: url.searchParams.get("what") === "own-money",
    customer: customer?.email ?? "",
    // Of a payment that arrived at an own address.
    arrived: {
      coin: url.searchParams.get("coin") ?? "BTC",
      amount: url.searchParams.get("amount") ?? "",
      txid: url.searchParams.get("txid") ?? "",
    },
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const operator = context.get(operatorContext);
  const isFunding = url.searchParams.get("what") === "own-money";
  const outcome = await receiveProposal(context.get(appContext), operator, request, isFunding);
  if ("answer" in outcome) return data<ProposalAnswer>(outcome.answer, outcome.status);
  const headers = { "Set-Cookie": await flash("adjustment-proposed") };
  return redirect(`/operator/adjustments/${outcome.adjustmentId}`, { headers });
}

export default function NewAdjustment({ loaderData, actionData }: Route.ComponentProps) {
  const { submissionKey, isFunding, customer, arrived } = loaderData;
  const Form = isFunding ? FundingForm : GiftForm;
  return (
    <>
      <PageHeader
        title="Propose an adjustment"
        description="Nothing moves until a colleague approves it."
        actions={
          <Link to="/operator/adjustments" data-key="q">
            Queue
          </Link>
        }
      />
      <nav className={tabs.tabs} aria-label="What to propose">
        <Link
          to="/operator/adjustments/new"
          className={tabs.tab}
          aria-current={isFunding ? undefined : "page"}
        >
          Give to a customer
        </Link>
        <Link
          to="/operator/adjustments/new?what=own-money"
          className={tabs.tab}
          aria-current={isFunding ? "page" : undefined}
        >
          Own money paid in
        </Link>
      </nav>
      <div className={styles.narrow}>
        <Form
          key={String(isFunding)}
          submissionKey={submissionKey}
          customer={customer}
          arrived={arrived}
          answer={actionData}
        />
      </div>
    </>
  );
}
