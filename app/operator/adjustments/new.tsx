import { randomUUID } from "node:crypto";
import { data, Link, redirect } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { flash } from "#app/ui/toasts/flash.ts";
import { findCustomerFacts } from "#server/console/customers/find-customer-facts.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { Tabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/new";
import styles from "./adjustments.module.css";
import { FundingForm, GiftForm, OutlayForm } from "./proposal-form.tsx";
import { type Proposable, type ProposalAnswer, receiveProposal } from "./receive-proposal.ts";

export const middleware = guard("adjustments/propose", "adjustments/propose");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Propose an adjustment");
export const handle = { keys: [{ key: "q", does: "queue" }] };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const wanted = url.searchParams.get("customer");
  const customer = wanted ? await findCustomerFacts(db, wanted, now()) : null;
  return {
    submissionKey: randomUUID(),
    what: whatOf(url),
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
  const { operator, app } = consoleOf(context);
  const outcome = await receiveProposal(app, operator, request, whatOf(url));
  if ("answer" in outcome) return data<ProposalAnswer>(outcome.answer, outcome.status);
  const headers = { "Set-Cookie": await flash("adjustment-proposed") };
  return redirect(`/operator/adjustments/${outcome.adjustmentId}`, { headers });
}

const tabNames: Array<{ what: Proposable; param: string; name: string }> = [
  { what: "gift", param: "", name: "Give to a customer" },
  { what: "equity-funding", param: "own-money", name: "Own money paid in" },
  { what: "equity-drawing", param: "taken-out", name: "Own money taken out" },
  { what: "wallet-transfer", param: "between-wallets", name: "Between own wallets" },
];

function addressOf(param: string): string {
  return `/operator/adjustments/new${param && `?what=${param}`}`;
}

function whatOf({ searchParams }: URL): Proposable {
  return tabNames.find(({ param }) => param === (searchParams.get("what") ?? ""))?.what ?? "gift";
}

export default function NewAdjustment({ loaderData, actionData }: Route.ComponentProps) {
  const { submissionKey, what, customer, arrived } = loaderData;
  const props = { submissionKey, arrived, answer: actionData };
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
      <Tabs
        label="What to propose"
        tabs={tabNames.map(({ param, name }) => [addressOf(param), name])}
        here={addressOf(tabNames.find((each) => each.what === what)?.param ?? "")}
      />
      <div className={styles.narrow}>
        {what === "gift" ? <GiftForm {...props} customer={customer} /> : null}
        {what === "equity-funding" ? <FundingForm {...props} customer="" /> : null}
        {what === "equity-drawing" || what === "wallet-transfer" ? (
          <OutlayForm key={what} kind={what} {...props} />
        ) : null}
      </div>
    </>
  );
}
