import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { adjustmentKindWords } from "#core/payments/adjustments.ts";
import { listAdjustmentsOf } from "#server/adjustments/list-adjustments.ts";
import entries from "../deposits/deposit.module.css";
import list from "../parts/console-list.module.css";
import { guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/adjustments";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware = guard("adjustments/read");
export const meta = titled("Adjustments of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db } = await readSection(context, params.customerId);
  return { frame, adjustments: await listAdjustmentsOf(db, params.customerId, 200) };
}

export default function CustomerAdjustments({ loaderData }: Route.ComponentProps) {
  const { frame, adjustments } = loaderData;
  const may = useMay();
  return (
    <CustomerFrame frame={frame}>
      <Panel
        title="Given out of the operator's own money"
        aside={
          may("adjustments/propose") ? (
            <Link to={`/operator/adjustments/new?customer=${frame.customer.id}`}>Propose</Link>
          ) : null
        }
        flush
      >
        {adjustments.length === 0 ? <p className={list.empty}>Nothing yet.</p> : null}
        <ul className={entries.list}>
          {adjustments.map((each) => (
            <li key={each.id} className={entries.entry}>
              <div>
                <Link to={`/operator/adjustments/${each.id}`}>
                  {adjustmentKindWords[each.kind]}
                </Link>{" "}
                <span className={entries.muted}>
                  <When at={each.decidedAt ?? each.proposedAt} />
                </span>
                <div className={list.second}>{each.reason}</div>
              </div>
              <Amount units={each.units} asset={each.asset} />
              <StatusBadge
                status={
                  each.state === "open" ? "waiting" : each.reversedBy ? "taken back" : each.state
                }
              />
            </li>
          ))}
        </ul>
      </Panel>
    </CustomerFrame>
  );
}
