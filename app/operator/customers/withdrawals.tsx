import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { withdrawalStateWords } from "#core/payments/withdrawal.ts";
import { listWithdrawalsOf } from "#server/withdrawals/list-withdrawals.ts";
import entries from "../deposits/deposit.module.css";
import list from "../parts/console-list.module.css";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/withdrawals";
import { CustomerFrame } from "./frame.tsx";
import { readCustomerHeader } from "./read-customer-header.ts";

export const middleware = guard("withdrawals/read");
export const meta = titled("Withdrawals of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const frame = await readCustomerHeader(db, params.customerId, {
    role: operator.role,
    now: now(),
  });
  return { frame, withdrawals: await listWithdrawalsOf(db, params.customerId, 200) };
}

export default function CustomerWithdrawals({ loaderData }: Route.ComponentProps) {
  const { frame, withdrawals } = loaderData;
  return (
    <CustomerFrame frame={frame}>
      <Panel title="Withdrawals, newest first" flush>
        {withdrawals.length === 0 ? <p className={list.empty}>Nothing yet.</p> : null}
        <ul className={entries.list}>
          {withdrawals.map(({ id, requestedAt, address, units, asset, state }) => (
            <li key={id} className={entries.entry}>
              <div>
                <Link to={`/operator/withdrawals/${id}`}>
                  <When at={requestedAt} plain />
                </Link>
                <div className={list.second}>
                  {address.slice(0, 14)}…{address.slice(-8)}
                </div>
              </div>
              <Amount units={units} asset={asset} />
              <StatusBadge status={withdrawalStateWords[state]} />
            </li>
          ))}
        </ul>
      </Panel>
    </CustomerFrame>
  );
}
