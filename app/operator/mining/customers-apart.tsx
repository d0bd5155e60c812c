import { VisuallyHidden } from "@mantine/core";
import { Form } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { Panel } from "#app/ui/panel.tsx";
import phone from "#app/ui/phone-columns.module.css";
import { Table } from "#app/ui/table.tsx";
import { Day, When } from "#app/ui/when.tsx";
import type { CustomerApart } from "#server/mining/queries.ts";
import list from "../console-list.module.css";
import { MayLink } from "../may-link.tsx";
import { useMay } from "../use-may.ts";

const words: Record<CustomerApart["work"], string> = {
  day: "Day",
  correction: "Correction of",
  arrears: "Unpaid maintenance",
  clocks: "Clock that ran out",
  endings: "End of a contract",
  inactivity: "Fee without a contract",
};

/** Customers for whom work failed while everyone else was processed. */
export function CustomersApart({ apart }: { apart: CustomerApart[] }) {
  const mayRetry = useMay()("mining/retry-customer");
  if (apart.length === 0) return null;
  return (
    <Panel title="Set apart after an error" flush>
      <DataTable label="Customers who are set apart, the longest first" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Customer</Table.Th>
            <Table.Th className={phone.wide}>Since</Table.Th>
            <Table.Th className={`${list.number} ${phone.wide}`}>Reserved</Table.Th>
            {mayRetry ? (
              <Table.Th className={list.number}>
                <VisuallyHidden>Try again</VisuallyHidden>
              </Table.Th>
            ) : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {apart.map(
            ({ customerId, customerName, work, day, error, failedAt, retryAt, reservedSats }) => (
              <Table.Tr key={`${customerId} ${work} ${day}`}>
                <Table.Td>
                  <MayLink
                    needs="customers/read"
                    to={`/operator/customers/${customerId}`}
                    className={list.link}
                  >
                    {customerName}
                  </MayLink>
                  <div className={list.second}>
                    {words[work]} {day ? <Day day={day} /> : null}
                  </div>
                  {reservedSats === null ? null : (
                    <div className={`${list.second} ${phone.narrow}`}>
                      <Amount units={reservedSats} asset="BTC" plain /> reserved
                    </div>
                  )}
                  <details className={list.second}>
                    <summary>Error</summary>
                    <div className={list.error}>{error}</div>
                  </details>
                </Table.Td>
                <Table.Td className={phone.wide}>
                  <When at={failedAt} />
                  <div className={list.second}>
                    {retryAt ? (
                      <>
                        next try <When at={retryAt} />
                      </>
                    ) : (
                      "waits for an earlier day"
                    )}
                  </div>
                </Table.Td>
                <Table.Td className={`${list.number} ${phone.wide}`}>
                  {reservedSats === null ? "–" : <Amount units={reservedSats} asset="BTC" />}
                </Table.Td>
                {mayRetry ? (
                  <Table.Td className={list.number}>
                    <Form method="post">
                      <input type="hidden" name="customerId" value={customerId} />
                      <SubmitButton size="compact-sm" variant="default" pendingText="Queueing…">
                        Try again now
                      </SubmitButton>
                    </Form>
                  </Table.Td>
                ) : null}
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </DataTable>
    </Panel>
  );
}
