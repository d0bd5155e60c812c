import { getFormProps, useForm } from "@conform-to/react";
import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { FormAlert, field, SubmitButton, select } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import { shownCoins } from "#core/asset.ts";
import { countryOptions } from "#core/countries.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsd, formatUsdMicros } from "#core/money.ts";
import { assetNames } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { appContext } from "#server/app-context.ts";
import {
  areSalesStopped,
  hasBought,
  listOfferedPlans,
  type OfferedPlan,
} from "#server/contracts/queries.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { getBalances } from "#server/ledger/queries.ts";
import { findResidence } from "#server/verification/queries.ts";
import { ResidencePart } from "../verification/residence-part.tsx";
import type { Route } from "./+types/buy";
import { wishSchema } from "./buy-schema.ts";
import styles from "./mining.module.css";
import { refusalWords } from "./refusals.ts";

export const meta = titled("Buy a contract");

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const isFirst = !(await hasBought(db, id));
  const [plans, balances, residence, isStopped] = await Promise.all([
    listOfferedPlans(db, { now: now(), isFirst }),
    getBalances(db, id),
    findResidence(db, id),
    areSalesStopped(db),
  ]);
  const asked = url.searchParams.get("plan");
  const chosen = plans.find(({ slug }) => slug === asked) ?? plans[0];
  return {
    plans,
    chosenId: chosen?.planVersionId ?? "",
    balances: shownCoins(config.coins, balances).map((coin) => ({
      coin,
      available: balances[coin].available,
    })),
    residence,
    isFirst,
    isStopped,
    countries: residence ? [] : countryOptions(),
    next: `/account/mining/buy${chosen && asked ? `?plan=${chosen.slug}` : ""}`,
  };
}

/** A price is asked for by POST: it is kept, with its evidence, and stands for some seconds. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const submission = parseForm(await request.formData(), { schema: wishSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  const { plan: planVersionId, quantity, coin } = submission.value;
  try {
    const wish = { customerId, planVersionId, quantity: Number(quantity), coin };
    const { quoteId } = await quoteContract(db, wish, now());
    return redirect(`/account/mining/buy/${quoteId}`);
  } catch (error) {
    const refused = error instanceof Refusal ? refusalWords(error.code) : undefined;
    if (!refused) throw error;
    const { field: name, text, status } = refused;
    const said = name ? { fieldErrors: { [name]: [text] } } : { formErrors: [text] };
    return data(submission.reply(said), status);
  }
}

export default function Buy({ loaderData, actionData }: Route.ComponentProps) {
  const { isStopped } = loaderData;
  return (
    <>
      <PageHeader
        title="Buy a contract"
        description={`You see the price in your coin, and have ${terms.quoteSeconds} seconds to take it. Nothing is taken before.`}
      />
      {isStopped ? <SalesStopped /> : <Choice loaderData={loaderData} actionData={actionData} />}
    </>
  );
}

function SalesStopped() {
  return (
    <Notice tone="warning" title="Nothing is sold at the moment">
      Our wallets were counted, and less lies in them than our books say. Until that is cleared up
      no contract is sold. Your balance can be withdrawn as always. The figures stand on{" "}
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
  const { plans, residence, countries, next, isFirst } = loaderData;
  return (
    <>
      {plans.length === 0 ? (
        <Panel>
          <EmptyState drawing="rack">
            No plan is offered at the moment. When hashrate is free again, it stands on{" "}
            <Link to="/plans" reloadDocument>
              the plans' page
            </Link>
            .
          </EmptyState>
        </Panel>
      ) : !residence ? (
        <Panel title="Where do you live?">
          <p className={styles.note}>This is asked before a first contract, once.</p>
          <ResidencePart countries={countries} next={next} />
        </Panel>
      ) : !residence.served ? (
        <Notice tone="warning">
          The service is not available to residents of the country that you stated. You can change
          it on the page <Link to="/account/verification?step=residence">Verification</Link>.
        </Notice>
      ) : (
        <div className={styles.columns}>
          <Panel title="What, and with which coin">
            <WishForm data={loaderData} lastResult={actionData} />
          </Panel>
          <div className={styles.stack}>
            <PlanFacts plans={plans} />
            {isFirst ? (
              <Notice tone="info" title="Your first contract can be given back">
                For {terms.coolingOffHours} hours after the purchase, in full and without a reason.
                It starts at the first 00:00 UTC after that.
              </Notice>
            ) : null}
          </div>
        </div>
      )}
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function WishForm({
  data: { plans, chosenId, balances },
  lastResult,
}: {
  data: Data;
  lastResult: Route.ComponentProps["actionData"];
}) {
  const [form, fields] = useForm({
    id: "wish",
    lastResult,
    defaultValue: { plan: chosenId, quantity: "1", coin: "BTC" },
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: wishSchema }),
  });
  return (
    <Form method="post" {...getFormProps(form)}>
      <Stack gap="md" align="stretch">
        <FormAlert errors={form.errors} id={form.errorId} />
        <NativeSelect
          label="Plan"
          data={plans.map((plan) => ({ value: plan.planVersionId, label: planLabel(plan) }))}
          {...select(fields.plan)}
        />
        <TextInput
          label="Units"
          inputMode="numeric"
          autoComplete="off"
          {...field(fields.quantity)}
        />
        <NativeSelect
          label="Pay with"
          data={balances.map(({ coin }) => ({ value: coin, label: assetNames[coin] }))}
          {...select(fields.coin)}
        />
        <Facts
          facts={balances.map(({ coin, available }) => ({
            label: `Your ${assetNames[coin]}`,
            value: <Amount units={available} asset={coin} />,
          }))}
        />
        <SubmitButton pendingText="Asking for the price…">Show the price</SubmitButton>
      </Stack>
    </Form>
  );
}

function planLabel({ name, unitGhs, termDays, priceUsdCents }: OfferedPlan): string {
  return `${name}: ${formatGhs(unitGhs)} for ${termDays} days, ${formatUsd(priceUsdCents)} a unit`;
}

/** What each plan has left and what it costs to run, beside the form. */
function PlanFacts({ plans }: { plans: OfferedPlan[] }) {
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
              { label: "A unit", value: <Usd cents={plan.priceUsdCents} /> },
              {
                label: "Free",
                value:
                  plan.freeUnits === 0
                    ? "sold out at the moment"
                    : `${plan.freeUnits.toLocaleString("en-US")} units, at most ${Math.min(plan.freeUnits, plan.mostUnits).toLocaleString("en-US")} in one purchase`,
              },
              {
                label: "Maintenance",
                value: `${formatUsdMicros((plan.maintenanceTodayUsdMicros * plan.unitGhs) / 1000n, 4)} a unit and day`,
              },
            ]}
          />
        </div>
      ))}
    </Panel>
  );
}
