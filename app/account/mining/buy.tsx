import { useMemo } from "react";
import { data, Form, Link } from "react-router";
import { errorsOf, runAct, sayFrom } from "#app/run-act.ts";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Usd } from "#app/ui/figures/amount.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { coins, shownCoins } from "#core/asset.ts";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { expectedResult, purchaseOf } from "#core/mining/expected-result.ts";
import { firstDay } from "#core/mining/first-day.ts";
import { formatGhs, unseenWords } from "#core/mining/hashrate-words.ts";
import { type SalesStop, salesStopWords } from "#core/mining/sales-stop.ts";
import { amountInWords, formatUsd, formatUsdMicros } from "#core/money.ts";
import { countryOptions } from "#core/people/countries.ts";
import { assetNames } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findSalesStop } from "#server/contracts/find-sales-stop.ts";
import { hasBought } from "#server/contracts/has-bought.ts";
import { listOfferedPlans, type OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { getSalesBounds } from "#server/fleet/get-sales-bounds.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { findProjectedStart } from "#server/markets/find-projected-start.ts";
import { ResidencePart } from "../kyc/residence-part.tsx";
import { LimitsNote } from "../limits-note.tsx";
import { contracts } from "../refusals/contracts.ts";
import type { Route } from "./+types/buy";
import { AcceptTerms, TermsHash } from "./accept-terms.tsx";
import { orderSchema } from "./buy-schema.ts";
import { ExpectedResult } from "./expected-result.tsx";
import styles from "./mining.module.css";

export const shouldRevalidate = readAfterConflict;
export const meta = titled("Buy a contract");

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const isFirst = !(await hasBought(db, id));
  const [plans, { seenGhs }, balances, { residence, level }, salesStop, start] = await Promise.all([
    listOfferedPlans(db, { now: at, isFirst }),
    getSalesBounds(db),
    getBalances(db, id),
    getKyc(db, id, at),
    findSalesStop(db),
    findProjectedStart(db, at),
  ]);
  const asked = url.searchParams.get("plan");
  const chosen = plans.find(({ slug }) => slug === asked);
  const { version, sha256 } = versionInForce("terms", utcDay(at));
  return {
    plans,
    isSeen: seenGhs !== null,
    order: readOrder(url.searchParams, (chosen ?? plans[0])?.planVersionId ?? ""),
    /** An order that is to be repeated, of a plan that is not sold any more. */
    isGone: asked !== null && plans.length > 0 && !chosen,
    balances: shownCoins(config.coins, balances).map((coin) => ({
      coin,
      available: balances[coin].available,
    })),
    residence,
    level,
    isFirst,
    salesStop,
    start,
    startsOn: firstDay(at, isFirst),
    terms: { version, sha256 },
    countries: residence ? [] : countryOptions(),
    next: `/account/mining/buy${url.search}`,
  };
}

/** What a link fills in: `?plan=…&units=60&coin=BTC`. */
function readOrder(params: URLSearchParams, plan: string) {
  const units = params.get("units") ?? "";
  return {
    plan,
    quantity: /^[1-9]\d{0,5}$/.test(units) ? units : "1",
    coin: coins.find((each) => each === params.get("coin")) ?? "BTC",
  };
}

/** A price is asked for by POST: it is kept, with its evidence, and held for some seconds. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const at = now();
  const form = await request.formData();
  const submission = parseForm(form, { schema: orderSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  const { plan: planVersionId, quantity, coin, termsVersion } = submission.value;
  return runAct(
    async () => {
      if (versionInForce("terms", utcDay(at)).version !== termsVersion) {
        throw new Refusal("contracts/terms-changed");
      }
      const wish = { customerId, planVersionId, quantity: Number(quantity), coin };
      const { quoteId } = await quoteContract(db, wish, at);
      return { to: `/account/mining/buy/${quoteId}?terms=${termsVersion}` };
    },
    // Of terms that have changed the box is not ticked.
    (said) =>
      submission.reply({
        ...errorsOf(said, form),
        hideFields: said.field === "accepted" ? ["accepted"] : [],
      }),
    sayFrom(contracts),
  );
}

export default function Buy({ loaderData, actionData }: Route.ComponentProps) {
  const { salesStop } = loaderData;
  return (
    <>
      <PageHeader
        title="Buy a contract"
        description={`We quote a price in your coin and hold it for ${terms.quoteSeconds} seconds. You pay nothing until you confirm.`}
      />
      {salesStop ? (
        <SalesStopped why={salesStop} />
      ) : (
        <Choice loaderData={loaderData} actionData={actionData} />
      )}
    </>
  );
}

function SalesStopped({ why }: { why: SalesStop }) {
  return (
    <Notice tone="warning" title="Sales are paused">
      {salesStopWords[why]} We sell no contract until that is resolved. You can withdraw your
      balance as always. The figures are on{" "}
      <Link to="/plans" reloadDocument>
        the plans' page
      </Link>
      .
    </Notice>
  );
}

function Choice({
  loaderData,
  actionData,
}: {
  loaderData: Data;
  actionData: Route.ComponentProps["actionData"];
}) {
  const { plans, residence, countries, next, isFirst, isGone, level } = loaderData;
  if (plans.length === 0) {
    return (
      <Panel>
        <EmptyState drawing="rack">
          We offer no plan at the moment. When hashrate is available again, we show it on{" "}
          <Link to="/plans" reloadDocument>
            the plans' page
          </Link>
          .
        </EmptyState>
      </Panel>
    );
  }
  if (!residence) {
    return (
      <Panel title="Where do you live?">
        <p className={styles.note}>We ask this once, before your first contract.</p>
        <ResidencePart countries={countries} next={next} />
      </Panel>
    );
  }
  if (!residence.served) {
    return (
      <Notice tone="warning">
        The service is not available to residents of the country you declared. You can change it on
        the page <Link to="/account/verification?step=residence">Verification</Link>.
      </Notice>
    );
  }
  return (
    <>
      {isGone ? <Notice>That plan is no longer offered. Please choose another one.</Notice> : null}
      <div className={styles.columns}>
        <Panel title="Your order">
          <OrderForm key={loaderData.next} data={loaderData} lastResult={actionData} />
        </Panel>
        <div className={styles.stack}>
          <PlanFacts plans={plans} isSeen={loaderData.isSeen} />
          {isFirst ? (
            <Notice tone="info" title="Your first contract can be refunded">
              In full and without a reason, for {terms.coolingOffHours} hours after the purchase. It
              starts at the first 00:00 UTC after that.
            </Notice>
          ) : null}
          <LimitsNote level={level} about="contracts" />
        </div>
      </div>
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function OrderForm({
  data: { plans, order, balances, terms: inForce, start, startsOn },
  lastResult,
}: {
  data: Data;
  lastResult: Route.ComponentProps["actionData"];
}) {
  const form = useForm({
    id: "order",
    lastResult,
    defaultValue: order,
    rules: async () => (await import("./buy-schema.ts")).orderSchema,
  });
  const plan = plans.find(({ planVersionId }) => planVersionId === form.typed.plan);
  const typed = form.typed.quantity?.trim() ?? "";
  const quantity = /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : null;
  return (
    <Form method="post" {...form.props}>
      <FieldStack>
        <FormAlert errors={form.errors} />
        <SelectField
          label="Plan"
          choices={plans.map((each) => ({ value: each.planVersionId, label: planLabel(each) }))}
          {...form.field("plan")}
        />
        <TextField
          label="Units"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("quantity")}
        />
        <SelectField
          label="Pay with"
          choices={balances.map(({ coin, available }) => ({
            value: coin,
            label: `${assetNames[coin]}: ${amountInWords(available, coin)} available`,
          }))}
          {...form.field("coin")}
        />
        <Outlook plan={plan} quantity={quantity} start={start} startsOn={startsOn} />
        <input type="hidden" name="termsVersion" value={inForce.version} />
        <AcceptTerms key={inForce.version} terms={inForce} {...form.check("accepted")} />
        <TermsHash sha256={inForce.sha256} />
        <SubmitButton pendingText="Getting a price…">Get a price</SubmitButton>
      </FieldStack>
    </Form>
  );
}

interface OutlookProps extends Pick<Data, "start" | "startsOn"> {
  plan: OfferedPlan | undefined;
  /** Null: no whole number is typed. */
  quantity: number | null;
}

/** What the order costs and comes to, while one types. */
function Outlook({ plan, quantity, start, startsOn }: OutlookProps) {
  const figures = useMemo(() => {
    if (!plan || !quantity || !start) return null;
    return expectedResult(purchaseOf(plan, quantity, startsOn), start);
  }, [plan, quantity, start, startsOn]);
  if (!plan) return null;
  const { priceUsdCents, unitGhs, slug } = plan;
  return (
    <div className={styles.outlook} aria-live="polite">
      {quantity ? (
        <>
          <p className={styles.total}>
            <span>
              {quantity.toLocaleString("en-US")} × {formatUsd(priceUsdCents)}
              <span className={styles.quiet}> {formatGhs(unitGhs * BigInt(quantity))}</span>
            </span>
            <strong>
              <Usd cents={priceUsdCents * BigInt(quantity)} />
            </strong>
          </p>
          <ExpectedResult figures={figures} quantity={quantity} slug={slug} />
        </>
      ) : (
        <p className={styles.note}>Enter a whole number of units to see their price.</p>
      )}
    </div>
  );
}

function planLabel({ name, unitGhs, termDays, priceUsdCents }: OfferedPlan): string {
  return `${name}: ${formatGhs(unitGhs)} for ${termDays} days, ${formatUsd(priceUsdCents)} a unit`;
}

/** What each plan has left and what it costs to run, after the form. */
function PlanFacts({ plans, isSeen }: Pick<Data, "plans" | "isSeen">) {
  return (
    <Panel
      title="The plans"
      aside={
        <Link to="/plans" reloadDocument>
          Scenarios and parts
        </Link>
      }
    >
      {plans.map((plan) => (
        <div key={plan.planVersionId} className={styles.planFacts}>
          <h3>{plan.name}</h3>
          <Facts
            facts={[
              { label: "One unit", value: <Usd cents={plan.priceUsdCents} /> },
              {
                label: "Available",
                value:
                  plan.freeUnits === 0
                    ? "sold out at the moment"
                    : `${plan.freeUnits.toLocaleString("en-US")} units, at most ${Math.min(plan.freeUnits, plan.mostUnits).toLocaleString("en-US")} in one purchase`,
              },
              {
                label: "Maintenance fee",
                value: `${formatUsdMicros((plan.maintenanceTodayUsdMicros * plan.unitGhs) / 1000n, 4)} per unit per day`,
              },
            ]}
          />
        </div>
      ))}
      {isSeen ? null : <p className={styles.note}>{unseenWords}</p>}
    </Panel>
  );
}
