import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data, redirect, useActionData } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { parseTxid } from "#core/payments/deposit.ts";
import { pageSizes } from "#core/terms.ts";
import { type App, appContext } from "#server/app-context.ts";
import { findDepositsVersion } from "#server/deposits/find-deposits-version.ts";
import { findUsualWaits } from "#server/deposits/find-usual-waits.ts";
import { depositTotals } from "#server/deposits/get-deposit-totals.ts";
import { type DepositListing, depositSorts, listDeposits } from "#server/deposits/list-deposits.ts";
import { locateDeposit } from "#server/deposits/locate-deposit.ts";
import { paymentAddresses } from "#server/deposits/payments/payment-addresses.ts";
import { slipMethods } from "#server/deposits/slips/slip-methods.ts";
import { customerContext, viewContext } from "#server/identity/sessions/person-context.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import { TooManyAttempts } from "#server/platform/rate-limit.ts";
import { keepTotalAmount } from "../frame/total-amount.ts";
import { LimitsNote } from "../limits-note.tsx";
import type { Route } from "./+types/deposit";
import { ChooseMethod } from "./choose-method.tsx";
import styles from "./deposit.module.css";
import type { DepositAnswer } from "./deposit-answer.ts";
import { DepositForm } from "./deposit-form.tsx";
import { DepositSteps } from "./deposit-steps.tsx";
import { DepositTransactions } from "./deposit-transactions.tsx";
import type { Found } from "./find-deposit.tsx";
import { methodPanels } from "./method-panels.ts";
import { PaymentsPanels } from "./payments-panels.tsx";
import { readPayments, withNeeded } from "./read-payments.ts";
import { submitSlip } from "./submit-slip.ts";
import { useFreshPayments } from "./use-fresh-payments.ts";

export const meta = titled("Deposits");
export const shouldRevalidate = readAfterConflict;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config, log, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const listing = readListing(request.url);
  const at = now();
  const [list, totals, payments, version, found, addresses, waits, { level }] = await Promise.all([
    listDeposits(db, id, listing),
    depositTotals(db, id),
    readPayments(context.get(appContext), id),
    findDepositsVersion(db, id),
    find(context.get(appContext), id, request.url),
    // Staff who look at the page as its customer sees it change nothing by it.
    paymentAddresses(
      { db, config, log },
      { customerId: id, onlyKnown: context.get(viewContext) !== null },
      at,
    ),
    findUsualWaits(db, undefined, at),
    getKyc(db, id, at),
  ]);
  return {
    submissionKey: randomUUID(),
    panels: methodPanels(addresses, config.coins),
    slipMethods: slipMethods(config),
    network: config.network,
    show: listing.show,
    list,
    version,
    payments,
    found,
    waits,
    level,
    totalUsdCents: totals.totalUsdCents,
  };
}

/** What the box was asked for: `?txid=…`. */
async function find(app: App, customerId: string, url: string): Promise<Found> {
  const typed = new URL(url).searchParams.get("txid")?.trim().slice(0, 200);
  if (!typed) return null;
  const txid = parseTxid(typed, "Bitcoin") ?? parseTxid(typed, "Ethereum");
  if (!txid) {
    const bitcoin = "A Bitcoin transaction id is 64 characters: digits, and letters from a to f.";
    const takesOthers = app.config.coins.some((coin) => coin !== "BTC");
    const fault = takesOthers ? `${bitcoin} An Ethereum one has 0x before them.` : bitcoin;
    return { txid: typed, fault };
  }
  try {
    const at = await locateDeposit(app, { customerId, txid, now: app.now() });
    if (at.kind !== "yours") return { txid, at };
    return { txid, payments: at.payments.map((payment) => withNeeded(app.config, payment)) };
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return { txid, fault: "Too many searches in a short time. Please try again in 15 minutes." };
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id } = context.get(customerContext);
  const { answer, status, scripted } = await submitSlip(context.get(appContext), request, id);
  if (answer.kind === "saved" && !scripted) {
    throw redirect("/account/deposit", { headers: { "Set-Cookie": await flash("deposit-saved") } });
  }
  return data<DepositAnswer>(answer, { status });
}

/** In the browser a lost session or a lost line must not take away what was typed. */
export async function clientAction({
  serverAction,
}: Route.ClientActionArgs): Promise<DepositAnswer> {
  try {
    return await serverAction();
  } catch (error) {
    const location = error instanceof Response ? error.headers.get("location") : null;
    return { kind: location?.startsWith("/login") ? "signed-out" : "failed" };
  }
}

export default function DepositPage({ loaderData }: Route.ComponentProps) {
  const { submissionKey, panels, network, show, list, found, totalUsdCents } = loaderData;
  const takesSlips = loaderData.slipMethods.length > 0;
  const payments = useFreshPayments(loaderData.payments, loaderData.version);
  const answer = useActionData<DepositAnswer>();
  useEffect(() => keepTotalAmount(totalUsdCents), [totalUsdCents]);
  return (
    <>
      <PageHeader title="Deposits" />
      <DepositSteps
        takesSlips={takesSlips}
        credited={payments?.watched.map(({ asset }) => asset) ?? []}
        waits={loaderData.waits}
      />
      <div className={styles.places}>
        <ChooseMethod panels={panels} network={network} />
        {payments ? (
          <div className={takesSlips ? styles.beside : undefined}>
            <PaymentsPanels read={payments} found={found} />
          </div>
        ) : null}
        {takesSlips ? (
          <Panel title="Submit payment slip">
            {payments ? (
              <p className={styles.other}>
                Paid another way? Payments to your own addresses need no slip.
              </p>
            ) : null}
            <DepositForm
              submissionKey={submissionKey}
              methods={loaderData.slipMethods}
              answer={answer}
            />
          </Panel>
        ) : null}
      </div>
      <LimitsNote level={loaderData.level} about="deposits" />
      <DepositTransactions
        list={list}
        show={show}
        takesSlips={takesSlips}
        methods={panels.length}
      />
    </>
  );
}

/** What the address says about the table. Anything unknown falls back to the usual. */
function readListing(url: string): DepositListing {
  const params = new URL(url).searchParams;
  const page = Number(params.get("page"));
  return {
    search: params.get("q") ?? undefined,
    sort: depositSorts.find((sort) => sort === params.get("sort")),
    direction: (["asc", "desc"] as const).find((direction) => direction === params.get("dir")),
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    show: pageSizes.find((size) => size === Number(params.get("show"))) ?? pageSizes[0],
  };
}
