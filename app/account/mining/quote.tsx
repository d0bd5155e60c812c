import { Checkbox } from "@mantine/core";
import { useCallback, useState } from "react";
import { data, Form, Link, redirect } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { flash } from "#app/ui/flash.ts";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import { When } from "#app/ui/when.tsx";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { firstDay } from "#core/mining/first-day.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatAmount, formatUsdMicros } from "#core/money.ts";
import { assetNames, formatPrice } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { buyContract } from "#server/contracts/buy-contract.ts";
import { findOfferedVersion, findQuote, hasBought, type Quote } from "#server/contracts/queries.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { getBalances } from "#server/ledger/queries.ts";
import type { Db } from "#server/platform/database.ts";
import type { Route } from "./+types/quote";
import { purchaseSchema } from "./buy-schema.ts";
import { Countdown } from "./countdown.tsx";
import styles from "./mining.module.css";
import { refusalWords } from "./refusals.ts";

export const meta = titled("The price");

const notFound = () => data(null, { status: 404, statusText: "Not Found" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const quote = await findQuote(db, id, params.quoteId);
  if (!quote) throw notFound();
  if (quote.contractId) throw redirect(`/account/mining/${quote.contractId}`);
  return { quote, ...(await purchaseFacts(db, id, quote, at)) };
}

/** What stands beside a price: the plan, the balance, the terms in force, the first day. */
async function purchaseFacts(db: Db, customerId: string, quote: Quote, at: Date) {
  const isFirst = !(await hasBought(db, customerId));
  const [plan, balances] = await Promise.all([
    findOfferedVersion(db, quote.planVersionId, { now: at, isFirst }),
    getBalances(db, customerId),
  ]);
  const { version, sha256 } = versionInForce("terms", utcDay(at));
  const startsOn = firstDay(at, isFirst);
  return {
    plan,
    available: balances[quote.coin].available,
    isFirst,
    startsOn,
    lastDay: plan ? addDays(startsOn, plan.termDays - 1) : null,
    termsVersion: version,
    termsSha256: sha256,
    now: at,
  };
}

/** Buys, or says why not. A price that has expired is never taken: a new one is shown beside it. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const at = now();
  const old = await findQuote(db, customerId, params.quoteId);
  if (!old) throw notFound();
  const form = await request.formData();
  if (form.get("intent") === "new-price") return anew(db, customerId, old, at);
  const submission = parseForm(form, { schema: purchaseSchema });
  if (submission.status !== "success") {
    const errors = Object.values(submission.error ?? {}).flatMap((each) => each ?? []);
    return data({ error: errors[0] ?? "Read the terms and tick the box" }, 400);
  }
  return purchase(db, { customerId, ...submission.value }, at);
}

async function purchase(db: Db, wanted: Parameters<typeof buyContract>[1], at: Date) {
  const { customerId, quoteId } = wanted;
  try {
    const { contractId } = await buyContract(db, wanted, at);
    return redirect(`/account/mining/${contractId}`, {
      headers: { "Set-Cookie": await flash("contract-bought") },
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const old = await findQuote(db, customerId, quoteId);
    if (!old) throw notFound();
    if (error.code === "contracts/quote-expired") return anew(db, customerId, old, at);
    const refused = refusalWords(error.code);
    if (!refused) throw error;
    return data({ error: refused.text }, refused.status);
  }
}

/** The same wish at the price of now. */
async function anew(db: Db, customerId: string, old: Quote, at: Date) {
  const { planVersionId, quantity, coin } = old;
  try {
    const next = await quoteContract(db, { customerId, planVersionId, quantity, coin }, at);
    return data({ error: null, old, next, at }, 409);
  } catch (error) {
    const refused = error instanceof Refusal ? refusalWords(error.code) : undefined;
    if (!refused) throw error;
    return data({ error: refused.text }, refused.status);
  }
}

export default function QuotePage({ loaderData, actionData }: Route.ComponentProps) {
  const moved = actionData && "next" in actionData ? actionData : null;
  const quote = moved ? moved.next : loaderData.quote;
  return (
    <>
      <PageHeader title={`${quote.quantity} × ${quote.planName}`} />
      {moved ? <Moved old={moved.old} next={moved.next} /> : null}
      <div className={styles.columns}>
        <Panel title="The price">
          <PriceFacts quote={quote} available={loaderData.available} />
        </Panel>
        <Panel title="What you get">
          <ContractOutlook quote={quote} data={loaderData} />
        </Panel>
      </div>
      <Panel title="Buy">
        <PurchaseForm
          key={quote.quoteId}
          quote={quote}
          now={moved ? moved.at : loaderData.now}
          termsVersion={loaderData.termsVersion}
          termsSha256={loaderData.termsSha256}
          error={actionData?.error ?? null}
        />
      </Panel>
    </>
  );
}

const smallest = { BTC: "satoshi", ETH: "wei", USDT: "millionth of a USDT" } as const;

function PriceFacts({ quote, available }: { quote: Quote; available: bigint }) {
  const { units, coin, usdCents, priceUsdE8, priceObservedAt, simulated } = quote;
  return (
    <>
      <Facts
        facts={[
          { label: "You pay", value: <Amount units={units} asset={coin} /> },
          { label: "For", value: <Usd cents={usdCents} /> },
          {
            label: `${assetNames[coin]} at`,
            value: (
              <>
                {formatPrice(priceUsdE8)}, agreed <When at={priceObservedAt} />
                {simulated ? " (simulated)" : ""}
              </>
            ),
          },
          { label: "Your balance", value: <Amount units={available} asset={coin} /> },
          {
            label: "Afterwards",
            value:
              available >= units ? (
                <Amount units={available - units} asset={coin} />
              ) : (
                <>
                  not covered. <Link to="/account/deposit">Make a deposit</Link>
                </>
              ),
          },
        ]}
      />
      <p className={styles.note}>
        The coins are rounded up to the smallest unit, in the operator's favour: by less than one{" "}
        {smallest[coin]}.
      </p>
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function ContractOutlook({
  quote,
  data: { plan, startsOn, lastDay, isFirst },
}: {
  quote: Quote;
  data: Data;
}) {
  if (!plan) return <p className={styles.note}>This plan is not offered any more.</p>;
  const ghs = plan.unitGhs * BigInt(quote.quantity);
  return (
    <Facts
      facts={[
        { label: "Hashrate", value: formatGhs(ghs) },
        { label: "Term", value: `${plan.termDays} days` },
        { label: "First day", value: `${startsOn} (UTC day)` },
        { label: "Last day", value: `${lastDay}, later by what is not delivered` },
        {
          label: "Maintenance",
          value: `${formatUsdMicros((plan.maintenanceTodayUsdMicros * ghs) / 1000n, 4)} a day, taken from your BTC`,
        },
        ...plan.announced.map((change) => ({
          label: `From ${change.effectiveFrom}`,
          value: `${formatUsdMicros((change.usdMicros * ghs) / 1000n, 4)} a day. ${change.reason}`,
        })),
        {
          label: `Unpaid for ${terms.terminationClauseHours} hours`,
          value:
            plan.termination === "refund-unserved"
              ? "Cancelled; the price of days not served is paid back"
              : "Cancelled; nothing of the price is paid back",
        },
        {
          label: "Giving back",
          value: isFirst
            ? `for ${terms.coolingOffHours} hours, in full`
            : "not possible: only a first contract can be",
        },
      ]}
    />
  );
}

function Moved({ old, next }: { old: Quote; next: Quote }) {
  return (
    <Notice tone="warning" title="That price had expired. Nothing was taken." role="alert">
      It was <Amount units={old.units} asset={old.coin} plain />. It is now{" "}
      <Amount units={next.units} asset={next.coin} plain />
      {next.units === old.units ? ", the same" : next.units > old.units ? ", more" : ", less"}.
      Below you can take the new one.
    </Notice>
  );
}

interface PurchaseFormProps {
  quote: Quote;
  now: Date;
  termsVersion: string;
  termsSha256: string;
  error: string | null;
}

function PurchaseForm({ quote, now, termsVersion, termsSha256, error }: PurchaseFormProps) {
  const [expired, setExpired] = useState(now >= quote.expiresAt);
  const end = useCallback(() => setExpired(true), []);
  return (
    <>
      <FormAlert errors={error ? [error] : null} />
      <Countdown expiresAt={quote.expiresAt} now={now} onEnd={end} />
      <noscript>
        <p className={styles.note}>
          This price stands until <When at={quote.expiresAt} plain />.
        </p>
      </noscript>
      {expired ? (
        <Form method="post" className={styles.purchase}>
          <input type="hidden" name="intent" value="new-price" />
          <p className={styles.note}>Nothing was taken. The price of now may be another.</p>
          <SubmitButton pendingText="Asking for the price…">Show the price of now</SubmitButton>
        </Form>
      ) : (
        <Form method="post" className={styles.purchase}>
          <input type="hidden" name="quoteId" value={quote.quoteId} />
          <input type="hidden" name="termsVersion" value={termsVersion} />
          <input type="hidden" name="termsSha256" value={termsSha256} />
          <Checkbox
            name="accepted"
            required
            label={
              <>
                I have read the{" "}
                <a href="/terms" target="_blank" rel="noreferrer">
                  terms, version {termsVersion}
                </a>
                , and know that a contract can end with a loss
              </>
            }
          />
          <p className={styles.hash}>
            SHA-256 of the terms: <code>{termsSha256}</code>
          </p>
          <SubmitButton pendingText="Buying…">
            {`Buy for ${formatAmount(quote.units, quote.coin)} ${quote.coin}`}
          </SubmitButton>
        </Form>
      )}
    </>
  );
}
