import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatAmount } from "#core/money.ts";
import { utcDay } from "#core/utc-day.ts";
import { enterPayoutAsOperator } from "#server/console/mining/enter-payout-as-operator.ts";
import { findLeftForOne, getPayoutLimit } from "#server/payouts/get-payout-limit.ts";
import { listPools } from "#server/payouts/list-pools.ts";
import { ActForm, Pair } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/new-payout";
import { payoutSchema } from "./payout-schema.ts";
import { PayoutTabs } from "./payout-tabs.tsx";

export const middleware = guard("payouts/enter", { enter: "payouts/enter" });
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Enter a payout");

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const [pools, limit, left] = await Promise.all([
    listPools(db),
    getPayoutLimit(db),
    findLeftForOne(db, operator.id),
  ]);
  const yesterday = utcDay(new Date(now().getTime() - 86_400_000));
  const mostAlone = left === null || left > limit ? limit : left;
  // Of a payment that arrived at an own address.
  const arrived = {
    amount: url.searchParams.get("amount") ?? "",
    txid: url.searchParams.get("txid") ?? "",
  };
  return { pools, mostAlone, isOnlyOne: left === null, yesterday, arrived, payoutId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const answer = await answerAct(await request.formData(), payoutSchema, async (value) => {
    const { amount, delivered, txid = null, ...rest } = value;
    const payout = { ...rest, txid, units: amount, deliveredGhs: delivered };
    const { state } = await enterPayoutAsOperator(db, operator, payout, now());
    const say = state === "proposed" ? "payout-waits" : "payout-recorded";
    return { to: `/operator/payouts/${rest.payoutId}`, say };
  });
  if (answer instanceof Response) return answer;
  // Something else was entered under the id that was sent: what is sent next is another payout.
  const payoutId = answer.init?.status === 409 ? randomUUID() : null;
  return data({ ...answer.data, payoutId }, answer.init ?? undefined);
}

const onlyOneWords =
  "You record this alone: no other approver or owner has set a password yet. The audit log says so.";

export default function NewPayout({ loaderData, actionData }: Route.ComponentProps) {
  const { pools, mostAlone, isOnlyOne, yesterday, arrived, payoutId } = loaderData;
  return (
    <>
      <PageHeader
        title="Payouts"
        description="What a pool paid for one UTC day, with the transaction that paid it, if it paid anything."
      />
      <PayoutTabs />
      {pools.length === 0 ? (
        <Notice title="No pool yet">Add the pool under Pools and limit first.</Notice>
      ) : (
        <Panel title="Enter a payout">
          <ActForm
            intent="enter"
            rules={async () => (await import("./payout-schema.ts")).payoutSchema}
            answer={actionData}
            defaults={{ poolId: pools[0]?.id ?? "", day: yesterday, ...arrived }}
            button="Enter it"
            pendingText="Entering…"
          >
            {(form) => (
              <>
                <FormKey name="payoutId" fresh={payoutId} renewed={actionData?.payoutId} />
                {isOnlyOne ? <Notice>{onlyOneWords}</Notice> : null}
                <Pair>
                  <SelectField
                    label="Pool"
                    choices={pools.map(({ id, name }) => ({ value: id, label: name }))}
                    {...form.field("poolId")}
                  />
                  <TextField label="UTC day" type="date" {...form.field("day")} />
                </Pair>
                <Pair>
                  <TextField
                    label="Paid, BTC"
                    description={`Recorded once coins at the pool's address cover it. Where the pool has none, a second person confirms it above ${formatAmount(mostAlone, "BTC")} BTC`}
                    inputMode="decimal"
                    {...form.field("amount")}
                  />
                  <TextField
                    label="Delivered, TH/s"
                    description="The hashrate that the pool saw, on average over the day. A second person confirms a payout of nothing, and one that is not between half and twice what the network paid for this hashrate on that day"
                    inputMode="decimal"
                    {...form.field("delivered")}
                  />
                </Pair>
                <TextField
                  label="Transaction id"
                  description="Empty if the pool paid and delivered 0. One that pays for several days waits for a second person, unless the pool's file says what is for which day"
                  {...form.field("txid")}
                />
              </>
            )}
          </ActForm>
        </Panel>
      )}
    </>
  );
}
