import { data, redirect } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { flash } from "#app/ui/flash.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import phone from "#app/ui/phone-columns.module.css";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { listEndingContracts } from "#server/console/mining/list-ending-contracts.ts";
import { retryCustomerAsOperator } from "#server/console/mining/retry-customer-as-operator.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listClocks, listCustomersApart } from "#server/mining/queries.ts";
import { ClockEnd } from "../clock-end.tsx";
import { ConsoleError } from "../console-error.tsx";
import list from "../console-list.module.css";
import { MayLink } from "../may-link.tsx";
import columns from "../two-columns.module.css";
import type { Route } from "./+types/contracts";
import { CustomersApart } from "./customers-apart.tsx";
import { MiningTabs } from "./mining-tabs.tsx";

const aheadDays = 30;
const most = 200;

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("mining/read", "mining/retry-customer"),
];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Contracts ending and unpaid");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
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
  const { db, now } = context.get(appContext);
  const customerId = String((await request.formData()).get("customerId"));
  if (!isId(customerId)) throw data(null, { status: 404, statusText: "Not Found" });
  await retryCustomerAsOperator(db, context.get(operatorContext), { customerId, now: now() });
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
      <div className={columns.column}>
        <CustomersApart apart={apart} />
        <Panel title="Clocks" flush={clocks.length > 0}>
          {clocks.length === 0 ? (
            <p className={list.second}>No maintenance is unpaid.</p>
          ) : (
            <DataTable label="Clocks, the first to run out first" bare>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Customer</Table.Th>
                  <Table.Th className={phone.wide}>Since</Table.Th>
                  <Table.Th>Cancelled not before</Table.Th>
                  <Table.Th className={list.number}>Unpaid</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {clocks.map((clock) => (
                  <Table.Tr key={clock.clockId}>
                    <Table.Td>
                      <MayLink
                        needs="customers/read"
                        to={`/operator/customers/${clock.customerId}`}
                        className={list.link}
                      >
                        {clock.customerName}
                      </MayLink>
                      <div className={list.second}>
                        {clock.planName}, {formatHashrate(clock.ghs)}
                      </div>
                    </Table.Td>
                    <Table.Td className={phone.wide}>
                      <When at={clock.startedAt} />
                    </Table.Td>
                    <Table.Td>
                      <ClockEnd clock={clock} />
                    </Table.Td>
                    <Table.Td className={list.number}>
                      <Amount units={clock.unpaidSats} asset="BTC" />
                      <div className={list.second}>
                        has <Amount units={clock.availableSats} asset="BTC" />
                      </div>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </DataTable>
          )}
        </Panel>
        <Panel title="Ending within 30 days" flush={ending.length > 0}>
          {ending.length === 0 ? (
            <p className={list.second}>No contract ends within 30 days.</p>
          ) : (
            <DataTable label="Contracts that end, the next first" bare>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Customer</Table.Th>
                  <Table.Th>Plan</Table.Th>
                  <Table.Th className={list.number}>Hashrate</Table.Th>
                  <Table.Th>Began</Table.Th>
                  <Table.Th>Last day</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {ending.map((contract) => (
                  <Table.Tr key={contract.contractId}>
                    <Table.Td>
                      <MayLink
                        needs="customers/read"
                        to={`/operator/customers/${contract.customerId}`}
                        className={list.link}
                      >
                        {contract.customerName}
                      </MayLink>
                    </Table.Td>
                    <Table.Td>{contract.planName}</Table.Td>
                    <Table.Td className={list.number}>{formatHashrate(contract.ghs)}</Table.Td>
                    <Table.Td className={list.day}>{contract.startsOn}</Table.Td>
                    <Table.Td className={list.day}>
                      {contract.lastDay}
                      {contract.lastDay > contract.plannedLastDay ? (
                        <div className={list.second}>
                          for downtime, planned {contract.plannedLastDay}
                        </div>
                      ) : null}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </DataTable>
          )}
        </Panel>
      </div>
    </>
  );
}
