import { data, Form, Link } from "react-router";
import { runAct, sayFrom } from "#app/run-act.ts";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { stateWords } from "#app/ui/figures/contract-state-words.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { canBeGivenBack, contractState } from "#core/mining/contract-state.ts";
import { pageSizes } from "#core/terms.ts";
import { formatDay, isDay, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { type Contract, findContract } from "#server/contracts/find-contract.ts";
import { giveBackContract } from "#server/contracts/give-back-contract.ts";
import { listMaintenance } from "#server/contracts/maintenance/list-maintenance.ts";
import { listOutagesBetween } from "#server/fleet/list-outages.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findDowntime } from "#server/mining/contracts/find-downtime.ts";
import { listContractsWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { findNextMiningDay } from "#server/mining/days/find-next-mining-day.ts";
import { listClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { listContractDays } from "#server/mining/receipts/list-contract-days.ts";
import type { Named } from "../frame/breadcrumb.tsx";
import { contracts } from "../refusals/contracts.ts";
import type { Route } from "./+types/contract";
import { ClockNotice } from "./clock-notice.tsx";
import { DayList } from "./contract-days.tsx";
import { ContractFacts, WhatCanEndIt } from "./contract-facts.tsx";
import { awaitedDays, orderAgain } from "./contract-words.ts";
import { DowntimePanel, downtimeDays } from "./downtime.tsx";
import styles from "./mining.module.css";
import { SoFar } from "./so-far.tsx";

export const meta = titled("Contract");
export const handle: Named<Route.ComponentProps["loaderData"]> = {
  crumb: ({ contract }) => contract.planName,
};

export const shouldRevalidate = readAfterConflict;

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const contract = await findContract(db, id, params.contractId);
  if (!contract) throw data(null, { status: 404, statusText: "Not Found" });
  const { contractId } = contract;
  const show = pageSizes.find((size) => size === Number(url.searchParams.get("show"))) ?? 10;
  const after = url.searchParams.get("after") ?? "";
  const before = isDay(after) ? after : undefined;
  const [[totals], days, clocks, maintenance, nextDay, downtime] = await Promise.all([
    listContractsWithTotals(db, id, contractId),
    listContractDays(db, contractId, { before, limit: show + 1 }),
    listClocks(db, { now: at, customerId: id }),
    listMaintenance(db, contract.planVersionId),
    findNextMiningDay(db),
    findDowntime(db, contractId, { limit: downtimeDays }),
  ]);
  const today = utcDay(at);
  const from = downtime.days.at(-1)?.day ?? today;
  return {
    downtime,
    outages: await listOutagesBetween(db, { from, until: today }),
    contract,
    totals: totals ?? null,
    days: days.slice(0, show),
    more: days.length > show,
    show,
    isFirstPage: before === undefined,
    clock: clocks.find((each) => each.contractId === contractId) ?? null,
    maintenance,
    awaited: awaitedDays(contract, nextDay, at),
    now: at,
  };
}

/** Refunds a first contract. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const contract = await findContract(db, customerId, params.contractId);
  if (!contract) throw data(null, { status: 404, statusText: "Not Found" });
  if ((await request.formData()).get("intent") !== "give-back") {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
  const { contractId } = contract;
  return runAct(
    async () => {
      await giveBackContract(db, { customerId, contractId }, now());
      return { to: `/account/mining/${contractId}`, say: "contract-given-back" };
    },
    (said) => ({ error: said.text }),
    sayFrom(contracts),
  );
}

export default function ContractPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contract, totals, clock, now } = loaderData;
  const state = contractState(contract, now);
  const { word, tone } = stateWords[state];
  return (
    <>
      <PageHeader
        title={`${contract.quantity} × ${contract.planName}`}
        description={<StatusBadge status={word} tone={tone} />}
        actions={
          <>
            <ButtonLink
              to={`/account/messages/new?about=contract:${contract.contractId}`}
              look="quiet"
            >
              Write to us
            </ButtonLink>
            <ButtonLink
              to={`/account/mining/${contract.contractId}/contract.pdf`}
              look="quiet"
              reloadDocument
            >
              Contract as PDF
            </ButtonLink>
            <ButtonLink to={orderAgain(contract)} look="quiet">
              Order again
            </ButtonLink>
          </>
        }
      />
      <div className={styles.stack}>
        {clock ? <ClockNotice clock={clock} /> : null}
        <FormAlert errors={actionData ? [actionData.error] : null} />
        {state === "cooling-off" || state === "waiting" ? (
          <NextSteps contract={contract} now={now} />
        ) : null}
        {totals ? (
          <Panel title="So far">
            <SoFar totals={totals} state={state} now={now} />
          </Panel>
        ) : null}
        <div className={styles.columns}>
          <Panel title="The contract">
            <ContractFacts contract={contract} changes={loaderData.maintenance} now={now} />
          </Panel>
          <Panel title="What can end it">
            <WhatCanEndIt contract={contract} totals={totals} />
          </Panel>
        </div>
        {totals ? (
          <DowntimePanel
            totals={totals}
            downtime={loaderData.downtime}
            outages={loaderData.outages}
          />
        ) : null}
        <DayList {...loaderData} />
      </div>
    </>
  );
}

function NextSteps({ contract, now }: { contract: Contract; now: Date }) {
  const isOpen = canBeGivenBack(contract, now);
  return (
    <Panel title="What happens next">
      <ol className={styles.next}>
        {isOpen && contract.coolingOffUntil ? (
          <li>
            Until <When at={contract.coolingOffUntil} /> you can get a full refund, without a
            reason.
          </li>
        ) : null}
        <li>
          It starts on {formatDay(contract.startsOn)} at 00:00 UTC and runs {contract.termDays} UTC
          days, longer if there is downtime.
        </li>
        <li>
          We credit a day once the pools have paid for it, usually on the day after. Its receipt is
          then on this page.
        </li>
        <li>
          We take the maintenance fee from your BTC each day. Keep some there, or{" "}
          <Link to="/account/deposit">make a deposit</Link>.
        </li>
      </ol>
      {isOpen ? (
        <Form method="post">
          <SubmitButton
            name="intent"
            value="give-back"
            look="outline"
            tone="brick"
            pendingText="Refunding…"
          >
            Refund this contract
          </SubmitButton>
        </Form>
      ) : null}
    </Panel>
  );
}
