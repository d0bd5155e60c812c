import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { depositTotals } from "#server/deposits/get-deposit-totals.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { listStatement } from "#server/ledger/list-statement.ts";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/ledger";
import { BalanceTable } from "./balance-table.tsx";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";
import { StatementTable } from "./statement-table.tsx";

const show = 50;

export const middleware = guard("customers/read");
export const meta = titled("Ledger of a customer");

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { frame, db, id } = await readSection(context, params.customerId);
  const after = url.searchParams.get("after") ?? undefined;
  const [page, balances, totals] = await Promise.all([
    listStatement(db, id, { after, limit: show }),
    getBalances(db, id),
    depositTotals(db, id),
  ]);
  return {
    frame,
    balances,
    totals,
    lines: page.lines,
    after: page.after,
  };
}

export default function CustomerLedger({ loaderData }: Route.ComponentProps) {
  const { frame, balances, totals, lines, after } = loaderData;
  return (
    <CustomerFrame frame={frame}>
      <div className={layout.stack}>
        <BalanceTable balances={balances} totals={totals} />
        <StatementTable lines={lines} after={after} />
      </div>
    </CustomerFrame>
  );
}
