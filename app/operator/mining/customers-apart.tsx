import { Form } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Day, When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import type { CustomerApart } from "#server/mining/days/list-customers-apart.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { MayLink } from "../parts/may-link.tsx";
import { useMay } from "../parts/use-may.ts";

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
      <ConsoleTable
        label="Customers who are set apart, the longest first"
        bare
        rows={apart}
        rowKey={({ customerId, work, day }) => `${customerId} ${work} ${day}`}
        columns={[
          {
            head: "Customer",
            cell: ({ customerId, customerName, work, day, error, reservedSats }) => (
              <>
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
              </>
            ),
          },
          {
            head: "Since",
            className: phone.wide,
            value: "failedAt",
            second: ({ retryAt }) =>
              retryAt ? (
                <>
                  next try <When at={retryAt} />
                </>
              ) : (
                "waits for an earlier day"
              ),
          },
          { head: "Reserved", className: phone.wide, value: "reservedSats", format: "btc" },
          mayRetry
            ? {
                head: <VisuallyHidden>Try again</VisuallyHidden>,
                kind: "number",
                cell: ({ customerId }) => (
                  <Form method="post">
                    <input type="hidden" name="customerId" value={customerId} />
                    <SubmitButton size="small" look="quiet" pendingText="Queueing…">
                      Try again now
                    </SubmitButton>
                  </Form>
                ),
              }
            : null,
        ]}
      />
    </Panel>
  );
}
