import { redirect } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import { flash } from "#app/ui/toasts/flash.ts";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import { listEndingContracts } from "#server/console/mining/list-ending-contracts.ts";
import { retryCustomerAsOperator } from "#server/console/mining/retry-customer-as-operator.ts";
import { listCustomersApart } from "#server/mining/days/list-customers-apart.ts";
import { listClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { ClockEnd } from "../parts/clock-end.tsx";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { MayLink } from "../parts/may-link.tsx";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import type { Route } from "./+types/contracts";
import { CustomersApart } from "./customers-apart.tsx";
import { MiningTabs } from "./mining-tabs.tsx";

const aheadDays = 30;
const most = 200;

export const middleware = guard("mining/read", "mining/retry-customer");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Contracts ending and unpaid");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const at = now();
  const until = utcDay(new Date(at.getTime() + aheadDays * 86_400_000));
  const [apart, clocks, ending] = await Promise.all([
    listCustomersApart(db, { limit: most }),
    listClocks(db, { now: at, limit: most }),
    listEndingContracts(db, { until, limit: most }),
  ]);
  return { apart, clocks, ending };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const customerId = String((await request.formData()).get("customerId"));
  if (!isUuid(customerId)) throw notFound();
  await retryCustomerAsOperator(db, operator, { customerId, now: now() });
  return redirect("/operator/mining/contracts", {
    headers: { "Set-Cookie": await flash("tried-again") },
  });
}

export default function Contracts({ loaderData: { apart, clocks, ending } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Mining"
        description="Contracts whose maintenance is unpaid, and those that end within 30 days."
      />
      <MiningTabs />
      <div className={layout.stack}>
        <CustomersApart apart={apart} />
        <Panel title="Clocks" flush={clocks.length > 0}>
          {clocks.length === 0 ? (
            <p className={list.second}>No maintenance is unpaid.</p>
          ) : (
            <ConsoleTable
              label="Clocks, the first to run out first"
              bare
              rows={clocks}
              rowKey={(clock) => clock.clockId}
              columns={[
                {
                  head: "Customer",
                  cell: (clock) => (
                    <MayLink
                      needs="customers/read"
                      to={`/operator/customers/${clock.customerId}`}
                      className={list.link}
                    >
                      {clock.customerName}
                    </MayLink>
                  ),
                  second: (clock) => `${clock.planName}, ${formatHashrate(clock.ghs)}`,
                },
                { head: "Since", className: phone.wide, value: "startedAt" },
                { head: "Cancelled not before", cell: (clock) => <ClockEnd clock={clock} /> },
                {
                  head: "Unpaid",
                  value: "unpaidSats",
                  format: "btc",
                  second: (clock) => (
                    <>
                      has <Amount units={clock.availableSats} asset="BTC" />
                    </>
                  ),
                },
              ]}
            />
          )}
        </Panel>
        <Panel title="Ending within 30 days" flush={ending.length > 0}>
          {ending.length === 0 ? (
            <p className={list.second}>No contract ends within 30 days.</p>
          ) : (
            <ConsoleTable
              label="Contracts that end, the next first"
              bare
              rows={ending}
              rowKey={(contract) => contract.contractId}
              columns={[
                {
                  head: "Customer",
                  sort: "customer",
                  value: "customerName",
                  cell: (contract) => (
                    <MayLink
                      needs="customers/read"
                      to={`/operator/customers/${contract.customerId}`}
                      className={list.link}
                    >
                      {contract.customerName}
                    </MayLink>
                  ),
                },
                { head: "Plan", sort: "plan", value: "planName" },
                { head: "Hashrate", sort: "-hashrate", value: "ghs", format: "hashrate" },
                { head: "Began", kind: "day", value: "startsOn" },
                {
                  head: "Last day",
                  kind: "day",
                  sort: "last",
                  value: "lastDay",
                  second: (contract) =>
                    contract.lastDay > contract.plannedLastDay ? (
                      <>for downtime, planned {contract.plannedLastDay}</>
                    ) : null,
                },
              ]}
            />
          )}
        </Panel>
      </div>
    </>
  );
}
