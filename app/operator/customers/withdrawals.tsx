import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { withdrawalStateWords } from "#core/payments/withdrawal.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { listWithdrawalsOf } from "#server/withdrawals/list-withdrawals.ts";
import entries from "../deposits/deposit.module.css";
import { ConsoleError } from "../parts/console-error.tsx";
import list from "../parts/console-list.module.css";
import type { Route } from "./+types/withdrawals";
import { CustomerFrame } from "./frame.tsx";
import { readCustomerHeader } from "./read-customer-header.ts";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("withdrawals/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Withdrawals of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { role } = context.get(operatorContext);
  const frame = await readCustomerHeader(db, params.customerId, { role, now: now() });
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
