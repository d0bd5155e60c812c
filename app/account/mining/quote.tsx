import { useState } from "react";
import { data, redirect, useFetcher } from "react-router";
import { runAct, type Said, sayFrom, unlessRefused } from "#app/run-act.ts";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { outageOf } from "#app/ui/page/keep-page.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { expectedResult, purchaseOf } from "#core/mining/expected-result.ts";
import { firstDay } from "#core/mining/first-day.ts";
import type { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { buyContract } from "#server/contracts/buy-contract.ts";
import { findQuote, type Quote } from "#server/contracts/find-quote.ts";
import { hasBought } from "#server/contracts/has-bought.ts";
import { findOfferedVersion } from "#server/contracts/list-offered-plans.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { getSalesBounds } from "#server/fleet/get-sales-bounds.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { findProjectedStart } from "#server/markets/find-projected-start.ts";
import type { Db } from "#server/platform/database.ts";
import { contracts } from "../refusals/contracts.ts";
import type { Route } from "./+types/quote";
import { AcceptTerms, TermsHash } from "./accept-terms.tsx";
import { purchaseSchema } from "./buy-schema.ts";
import { ExpectedResult } from "./expected-result.tsx";
import styles from "./mining.module.css";
import { PurchaseBar, purchaseForm } from "./purchase-bar.tsx";
import { ContractOutlook, PriceFacts } from "./quote-facts.tsx";

export const shouldRevalidate = readAfterConflict;
export const meta = titled("The price");

const notFound = () => data(null, { status: 404, statusText: "Not Found" });

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const quote = await findQuote(db, id, params.quoteId);
  if (!quote) throw notFound();
  if (quote.contractId) throw redirect(`/account/mining/${quote.contractId}`);
  const facts = await purchaseFacts(db, id, quote, at);
  // Ticked on the order form; a version that came into force since is to be read first.
  const isAccepted = url.searchParams.get("terms") === facts.terms.version;
  return { quote, ...facts, isAccepted };
}

/** What one reads next to a price: the plan, the balance, the terms in force, the first day, the expected result. */
async function purchaseFacts(db: Db, customerId: string, quote: Quote, at: Date) {
  const isFirst = !(await hasBought(db, customerId));
  const [plan, { seenGhs }, balances, start] = await Promise.all([
    findOfferedVersion(db, quote.planVersionId, { now: at, isFirst }),
    getSalesBounds(db),
    getBalances(db, customerId),
    findProjectedStart(db, at),
  ]);
  const { version, sha256 } = versionInForce("terms", utcDay(at));
  const startsOn = firstDay(at, isFirst);
  return {
    plan,
    isSeen: seenGhs !== null,
    available: balances[quote.coin].available,
    isFirst,
    startsOn,
    lastDay: plan ? addDays(startsOn, plan.termDays - 1) : null,
    expected:
      plan && start ? expectedResult(purchaseOf(plan, quote.quantity, startsOn), start) : null,
    terms: { version, sha256 },
    now: at,
  };
}

/** Buys, or says why not. A price that has expired is never taken: a new one is shown in its place. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const at = now();
  const old = await findQuote(db, customerId, params.quoteId);
  if (!old) throw notFound();
  const form = await request.formData();
  if (form.get("intent") === "new-price") {
    return runAct(() => quoteAgain(db, customerId, old, at), refused, sayFrom(contracts));
  }
  const submission = parseForm(form, { schema: purchaseSchema });
  if (submission.status !== "success") {
    const errors = Object.values(submission.error ?? {}).flatMap((each) => each ?? []);
    return data({ error: errors[0] ?? "Read the terms and tick the box" }, 400);
  }
  return purchase(db, { customerId, ...submission.value }, at);
}

async function purchase(db: Db, wanted: Parameters<typeof buyContract>[1], at: Date) {
  const { customerId, quoteId } = wanted;
  const buy = async () => {
    const { contractId } = await buyContract(db, wanted, at);
    return { to: `/account/mining/${contractId}`, say: "contract-bought" } as const;
  };
  const orNewPrice = async (refusal: Refusal) => {
    const old = await findQuote(db, customerId, quoteId);
    if (!old) throw notFound();
    if (refusal.code !== "contracts/quote-expired") throw refusal;
    return quoteAgain(db, customerId, old, at, { tooLate: true });
  };
  return runAct(() => unlessRefused(buy, orNewPrice), refused, sayFrom(contracts));
}

const refused = ({ text }: Said) => ({ error: text });

/** The same order at today's price, or what was bought of it. */
async function quoteAgain(
  db: Db,
  customerId: string,
  old: Quote,
  at: Date,
  { tooLate = false } = {},
) {
  const { orderId, planVersionId, quantity, coin, contractId } = old;
  if (contractId) return { to: `/account/mining/${contractId}`, say: "contract-bought" } as const;
  const wish = { customerId, planVersionId, quantity, coin, orderId };
  const next = await quoteContract(db, wish, at);
  return data({ error: null, tooLate, old, next, at }, tooLate ? 409 : 200);
}

/** The same price is sent again until the site has answered: a new one would be a second purchase. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return { ...(await serverAction()), cameAt: performance.now() };
  } catch (error) {
    if (!outageOf(error)) throw error;
    const cameAt = performance.now();
    return form.get("intent") === "new-price"
      ? data({ error: "The site did not answer. Get a new price in a moment.", cameAt }, 503)
      : data({ error: unanswered, cameAt, unsure: String(form.get("quoteId")) }, 503);
  }
}

const unanswered =
  "The site did not answer, so this may be bought or not. Send it again: it is never bought twice.";

type Answer = Route.ComponentProps["actionData"];

/** The newest price that was given: with the page, for a purchase that came too late, or when it was asked for. */
function newest({ quote, now }: Route.ComponentProps["loaderData"], answers: Answer[]) {
  const prices = answers.flatMap((answer) => (answer && "next" in answer ? [answer] : []));
  return prices.reduce<{ quote: Quote; at: Date; changed: (typeof prices)[number] | null }>(
    (latest, each) =>
      each.next.quotedAt > latest.quote.quotedAt
        ? { quote: each.next, at: each.at, changed: each }
        : latest,
    { quote, at: now, changed: null },
  );
}

/** What the last answer said: a price that came after a refusal, or another refusal, takes its place. */
function lastError(answers: Answer[]): string | null {
  const cameAt = (answer: Answer) => (answer && "cameAt" in answer ? answer.cameAt : 0);
  const [last] = answers.filter(Boolean).sort((one, other) => cameAt(other) - cameAt(one));
  return last?.error ?? null;
}

/** With another order nothing of the one before stays, as its price. */
export default function QuotePage(props: Route.ComponentProps) {
  return <Order key={props.loaderData.quote.quoteId} {...props} />;
}

function Order({ loaderData, actionData }: Route.ComponentProps) {
  const refresh = useFetcher<typeof clientAction>();
  const given = newest(loaderData, [actionData, refresh.data]);
  const [kept, keep] = useState(given);
  // A further answer without a price takes none away.
  if (given.quote.quotedAt > kept.quote.quotedAt) keep(given);
  const { quote, at, changed } = kept;
  const { isAccepted, terms: inForce, expected, plan } = loaderData;
  const isUnsure = actionData && "unsure" in actionData && actionData.unsure === quote.quoteId;
  const error = isUnsure ? actionData.error : lastError([actionData, refresh.data]);
  return (
    <div className={styles.quote}>
      <PageHeader
        title={`${quote.quantity.toLocaleString("en-US")} × ${quote.planName}`}
        description={`We hold this price for ${terms.quoteSeconds} seconds. You pay nothing until you confirm.`}
      />
      {changed ? <Changed {...changed} /> : null}
      <div className={styles.columns}>
        <Panel title="The price">
          <PriceFacts quote={quote} available={loaderData.available} />
          <div className={styles.terms}>
            {isAccepted ? (
              <p className={styles.quiet}>
                You accepted the{" "}
                <a href="/terms" target="_blank" rel="noreferrer">
                  terms, version {inForce.version}
                </a>
                , with your order.
              </p>
            ) : (
              <AcceptTerms
                key={inForce.version}
                terms={inForce}
                name="accepted"
                required
                form={purchaseForm}
              />
            )}
            <TermsHash sha256={inForce.sha256} />
          </div>
        </Panel>
        <div className={styles.stack}>
          <Panel title="Expected result">
            <ExpectedResult figures={expected} quantity={quote.quantity} slug={quote.slug} />
          </Panel>
          <Panel title="What you get">
            {plan ? (
              <ContractOutlook
                quote={quote}
                plan={plan}
                dates={loaderData}
                isSeen={loaderData.isSeen}
              />
            ) : (
              <p className={styles.note}>This plan is no longer offered.</p>
            )}
          </Panel>
        </div>
      </div>
      <PurchaseBar
        quote={quote}
        at={at}
        terms={inForce}
        startsOn={loaderData.startsOn}
        isAccepted={isAccepted}
        error={error}
        isUnsure={isUnsure ?? false}
        refresh={refresh}
      />
    </div>
  );
}

function Changed({ tooLate, old, next }: { tooLate: boolean; old: Quote; next: Quote }) {
  const words = next.units === old.units ? "the same" : next.units > old.units ? "more" : "less";
  return (
    <Notice
      tone={tooLate ? "warning" : "info"}
      title={tooLate ? "The price expired. You were not charged." : "New price"}
    >
      It was <Amount units={old.units} asset={old.coin} plain />. It is now{" "}
      <Amount units={next.units} asset={next.coin} plain />, {words}, for the same{" "}
      <Usd cents={next.usdCents} />.
    </Notice>
  );
}
