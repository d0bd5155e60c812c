import { Button } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { stateWords } from "#app/ui/contract-state-words.ts";
import { DataTable, TableTools } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { flash } from "#app/ui/flash.ts";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { PageSizeForm } from "#app/ui/table-forms.tsx";
import { Day, When } from "#app/ui/when.tsx";
import { withMinus } from "#app/ui/with-minus.ts";
import { canBeGivenBack, contractState } from "#core/mining/contract-state.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { pageSizes, terms } from "#core/terms.ts";
import { isDay, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { giveBackContract } from "#server/contracts/give-back-contract.ts";
import { type Contract, findContract, listMaintenance } from "#server/contracts/queries.ts";
import { listOutagesBetween } from "#server/fleet/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import {
  type ContractDay,
  type ContractWithTotals,
  findDowntime,
  findNextMiningDay,
  listClocks,
  listContractDays,
  listContractsWithTotals,
} from "#server/mining/queries.ts";
import type { Named } from "../breadcrumb.tsx";
import type { Route } from "./+types/contract";
import { ClockNotice } from "./clock-notice.tsx";
import {
  awaitedDays,
  breakEvenWords,
  daysLeft,
  dueSats,
  resultUsdMicros,
} from "./contract-words.ts";
import { DowntimePanel, downtimeDays } from "./downtime.tsx";
import styles from "./mining.module.css";
import { refusalWords } from "./refusals.ts";

export const meta = titled("Contract");
export const handle: Named<Route.ComponentProps["loaderData"]> = {
  crumb: ({ contract }) => contract.planName,
};

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
  const [totals, days, clocks, maintenance, nextDay, downtime] = await Promise.all([
    listContractsWithTotals(db, id),
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
    totals: totals.find((each) => each.contractId === contractId) ?? null,
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

/** Gives a first contract back. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const contract = await findContract(db, customerId, params.contractId);
  if (!contract) throw data(null, { status: 404, statusText: "Not Found" });
  if ((await request.formData()).get("intent") !== "give-back") {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
  const { contractId } = contract;
  try {
    await giveBackContract(db, { customerId, contractId }, now());
  } catch (error) {
    const refused = error instanceof Refusal ? refusalWords(error.code) : undefined;
    if (!refused) throw error;
    return data({ error: refused.text }, refused.status);
  }
  return redirect(`/account/mining/${contractId}`, {
    headers: { "Set-Cookie": await flash("contract-given-back") },
  });
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
            <Button
              component="a"
              href={`/account/mining/${contract.contractId}/contract.pdf`}
              variant="default"
            >
              Contract as PDF
            </Button>
            <Button component={Link} to="/account/mining" variant="default">
              All contracts
            </Button>
          </>
        }
      />
      <div className={styles.stack}>
        {clock ? <ClockNotice clock={clock} /> : null}
        {state === "cooling-off" || state === "waiting" ? (
          <NextSteps contract={contract} now={now} error={actionData?.error ?? null} />
        ) : null}
        <div className={styles.columns}>
          <Panel title="So far">{totals ? <SoFar totals={totals} now={now} /> : null}</Panel>
          <Panel title="The contract">
            <ContractFacts contract={contract} />
          </Panel>
        </div>
        <div className={styles.columns}>
          <Panel title="What can end it">
            <WhatCanEndIt contract={contract} totals={totals} />
          </Panel>
          <Panel title="Maintenance of one TH/s and day">
            <Facts
              facts={[
                {
                  label: "As you bought it",
                  value: formatUsdMicros(contract.maintenanceUsdMicros, 4),
                },
                ...changesOf(contract, loaderData.maintenance).map((change) => ({
                  label: `${change.effectiveFrom > utcDay(now) ? "Announced for" : "Since"} ${change.effectiveFrom}`,
                  value: `${formatUsdMicros(change.usdMicros, 4)}: ${change.reason}`,
                })),
              ]}
            />
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

/** What changed, or will, while the contract ran or runs. */
function changesOf({ lastDay }: Contract, changes: Data["maintenance"]): Data["maintenance"] {
  return changes.filter(({ effectiveFrom }) => lastDay === null || effectiveFrom <= lastDay);
}

function NextSteps({
  contract,
  now,
  error,
}: {
  contract: Contract;
  now: Date;
  error: string | null;
}) {
  const isOpen = canBeGivenBack(contract, now);
  return (
    <Panel title="What happens next">
      <ol className={styles.next}>
        {isOpen && contract.coolingOffUntil ? (
          <li>
            Until <When at={contract.coolingOffUntil} /> you can give it back, in full and without a
            reason.
          </li>
        ) : null}
        <li>
          It starts on {contract.startsOn} at 00:00 UTC and runs {contract.termDays} UTC days,
          longer by what is not delivered.
        </li>
        <li>
          A day is credited once the pools have paid for it, usually on the day after. Its receipt
          stands here then.
        </li>
        <li>
          Maintenance is taken from your BTC each day. Keep some there, or{" "}
          <Link to="/account/deposit">make a deposit</Link>.
        </li>
      </ol>
      <FormAlert errors={error ? [error] : null} />
      {isOpen ? (
        <Form method="post">
          <SubmitButton
            name="intent"
            value="give-back"
            variant="outline"
            color="brick"
            pendingText="Giving back…"
          >
            Give the contract back
          </SubmitButton>
        </Form>
      ) : null}
    </Panel>
  );
}

function SoFar({ totals, now }: { totals: ContractWithTotals; now: Date }) {
  const result = resultUsdMicros(totals);
  const runs = totals.projectedLastDay;
  return (
    <Facts
      facts={[
        { label: "Earned", value: <Amount units={totals.creditedSats} asset="BTC" /> },
        { label: "Maintenance", value: <Amount units={-totals.feesSats} asset="BTC" /> },
        totals.unpaidSats > 0n && {
          label: "Unpaid maintenance",
          value: <Amount units={-totals.unpaidSats} asset="BTC" />,
        },
        {
          label: "Net",
          value: <Amount units={totals.creditedSats - totals.feesSats} asset="BTC" signed />,
        },
        {
          label: "Net in dollars",
          value: `${withMinus(formatUsdMicros(totals.creditedUsdMicros - totals.feesUsdMicros))}, each day at its own price`,
        },
        totals.endReason !== "given-back" && {
          label: "After the price",
          value: `${withMinus(formatUsdMicros(result))}${result < 0n ? lossWords(totals) : ""}`,
        },
        totals.endReason !== "given-back" && {
          label: "Break-even",
          value: breakEvenWords(totals),
        },
        {
          label: "Served",
          value: `${totals.servedDays} of ${totals.termDays} days`,
        },
        runs !== null && {
          label: "Runs until",
          value:
            runs > totals.plannedLastDay
              ? `${runs}, ${daysLeft(runs, now)} days left: extended beyond ${totals.plannedLastDay} by what was not delivered`
              : `${runs}, ${daysLeft(runs, now)} days left`,
        },
        totals.refundedUnits !== null &&
          totals.refundedUnits > 0n && {
            label: "Paid back",
            value: <Amount units={totals.refundedUnits} asset={totals.coin} />,
          },
      ]}
    />
  );
}

const lossWords = ({ lastDay }: ContractWithTotals) =>
  lastDay === null ? ", a loss so far" : ", a loss";

function ContractFacts({ contract }: { contract: Contract }) {
  return (
    <Facts
      facts={[
        { label: "Hashrate", value: formatGhs(contract.ghs) },
        { label: "Price", value: <Usd cents={contract.usdCents} /> },
        {
          label: "Paid",
          value: (
            <span className={styles.marked}>
              <Amount units={contract.units} asset={contract.coin} />
              <Hallmark
                to={`/account/evidence/${contract.transferId}`}
                label="The transfer that paid it"
              />
            </span>
          ),
        },
        {
          label: "At",
          value: (
            <>
              {formatPrice(contract.priceUsdE8)} for one {contract.coin}
            </>
          ),
        },
        { label: "Bought", value: <When at={contract.boughtAt} beside /> },
        { label: "First day", value: `${contract.startsOn} (UTC day)` },
        { label: "Planned last day", value: contract.plannedLastDay },
        contract.lastDay !== null && {
          label: "Ended with",
          value:
            contract.endReason === "given-back"
              ? "given back before it started"
              : `${contract.lastDay}: ${contract.endReason === "served" ? "its term was served" : "maintenance was not paid"}`,
        },
        {
          label: "Terms",
          value: (
            <a href={`/terms/terms-${contract.termsVersion}.txt`}>
              version {contract.termsVersion}
            </a>
          ),
        },
        {
          label: "Their SHA-256",
          value: <code className={styles.hash}>{contract.termsSha256}</code>,
        },
        {
          label: "Contract",
          value: <code className={styles.hash}>{contract.contractId}</code>,
        },
      ]}
    />
  );
}

function WhatCanEndIt({
  contract,
  totals,
}: {
  contract: Contract;
  totals: ContractWithTotals | null;
}) {
  if (contract.lastDay !== null) {
    return (
      <p className={styles.note}>
        It has ended. What it credited stays in your balance, and its receipts stay here.
      </p>
    );
  }
  return (
    <ul className={styles.next}>
      <li>
        Its term: when {contract.termDays} whole days have been served
        {totals ? `, ${contract.termDays - totals.servedDays} are left` : ""}.
      </li>
      <li>
        Unpaid maintenance for {terms.terminationClauseHours} hours. A clock is shown here from the
        first missed fee on, and you get three mails. It stands still while a day that is over is
        not worked out.{" "}
        {contract.termination === "refund-unserved"
          ? "The price of days not served is paid back."
          : "Nothing of the price is paid back."}
      </li>
      <li>Nothing else: neither a low price of bitcoin nor a high difficulty.</li>
    </ul>
  );
}

type Data = Route.ComponentProps["loaderData"];

function DayList({ contract, days, more, show, isFirstPage, awaited }: Data) {
  if (days.length === 0 && isFirstPage) {
    return (
      <Panel title="Days">
        <EmptyState drawing="journal">
          {contract.endReason === "given-back"
            ? "It was given back before its first day, so it has no receipts."
            : `No day of it has been credited yet. The first receipt stands here when the pools have paid for ${contract.startsOn}.`}
        </EmptyState>
      </Panel>
    );
  }
  const path = `/account/mining/${contract.contractId}`;
  return (
    <Panel title="Days" flush aside={<a href={`${path}/days.csv`}>All days as CSV</a>}>
      <TableTools>
        <PageSizeForm show={show} />
      </TableTools>
      {awaited && isFirstPage ? (
        <p className={styles.awaited}>
          <StatusBadge status="awaiting pool payout" tone="plain" />{" "}
          {awaited.first === awaited.last ? awaited.last : `${awaited.first} to ${awaited.last}`}
        </p>
      ) : null}
      <DataTable label="Days of the contract" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>UTC day</Table.Th>
            <Table.Th ta="right">Credited</Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Maintenance
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Net
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Reference
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Served
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map((day) => (
            <DayRow key={day.day} day={day} path={path} />
          ))}
        </Table.Tbody>
      </DataTable>
      <OlderNewer after={more ? (days.at(-1)?.day ?? null) : null}>
        {days.length} {days.length === 1 ? "day" : "days"} shown
      </OlderNewer>
    </Panel>
  );
}

function DayRow({ day, path }: { day: ContractDay; path: string }) {
  const credited = day.creditSats + day.correctedSats;
  const net = credited - dueSats(day);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Link to={`${path}/${day.day}`}>
          <Day day={day.day} />
        </Link>
        <div className={styles.quiet}>
          {day.correctedSats === 0n ? null : "corrected"}
          {day.feeState === "open" ? " maintenance unpaid" : null}
          {day.feeState === "lapsed" ? " maintenance lapsed" : null}
        </div>
      </Table.Th>
      <Table.Td ta="right">
        <span className={styles.marked}>
          <Amount units={credited} asset="BTC" />
          <Hallmark to={`${path}/${day.day}`} label={`The receipt of ${day.day}`} />
        </span>
        <div className={styles.narrow}>
          net <Amount units={net} asset="BTC" signed plain />
        </div>
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={-dueSats(day)} asset="BTC" />
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={net} asset="BTC" signed />
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        {day.referenceSats === null ? (
          "not known"
        ) : (
          <Amount units={day.referenceSats} asset="BTC" />
        )}
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        {(Number(day.servedPpm) / 10_000).toFixed(2)}%
      </Table.Td>
    </Table.Tr>
  );
}
