import { Usd } from "#app/ui/figures/amount.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { Pagination } from "#app/ui/tables/pagination.tsx";
import { depositTotals } from "#server/deposits/get-deposit-totals.ts";
import { listDeposits } from "#server/deposits/list-deposits.ts";
import { DepositList } from "../deposits/deposit-lists.tsx";
import list from "../parts/console-list.module.css";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/deposits";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

const show = 50;

export const middleware = guard("deposits/read");
export const meta = titled("Deposits of a customer");

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const wanted = Number(url.searchParams.get("page") ?? 1);
  const page = Number.isInteger(wanted) && wanted >= 1 && wanted <= 100_000 ? wanted : 1;
  const { frame, db, id } = await readSection(context, params.customerId);
  const [deposits, totals] = await Promise.all([
    listDeposits(db, id, { show, page }),
    depositTotals(db, id),
  ]);
  return { frame, deposits, totals };
}

export default function CustomerDeposits({ loaderData }: Route.ComponentProps) {
  const { frame, deposits, totals } = loaderData;
  return (
    <CustomerFrame frame={frame}>
      <Panel
        title="Deposits"
        aside={
          <span className={list.second}>
            <Usd cents={totals.totalUsdCents} />, of which <Usd cents={totals.pendingUsdCents} />{" "}
            waiting
          </span>
        }
        flush
      >
        {deposits.total === 0 ? (
          <p className={list.empty}>No deposits yet.</p>
        ) : (
          <>
            <DepositList deposits={deposits.deposits} />
            <div className={list.pager}>
              <Pagination page={deposits.page} show={show} total={deposits.total} />
            </div>
          </>
        )}
      </Panel>
    </CustomerFrame>
  );
}
