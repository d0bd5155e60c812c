import { useSearchParams } from "react-router";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { withParams } from "#app/ui/tables/list-params.ts";
import { type BusinessRow, figures } from "#core/markets/business-figures.ts";
import { utcDay } from "#core/utc-day.ts";
import { besides, readBusiness } from "#server/console/business/read-business.ts";
import { listKeys } from "../console-keys.ts";
import { CsvLink } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { Tabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/business";
import { BarChart, type BarSeries } from "./bar-chart.tsx";
import styles from "./business.module.css";
import { BusinessTable } from "./business-table.tsx";
import { FigureSources } from "./figure-sources.tsx";
import {
  amountOf,
  isShownUnit,
  periodName,
  type ShownUnit,
  shownUnits,
  writeScale,
} from "./figure-words.ts";
import { PoolShares } from "./pool-shares.tsx";
import { firstPeriod, periodParams, readPeriod } from "./read-period.ts";
import { Totals } from "./totals.tsx";

export const middleware = guard("business/read");
export const meta = titled("Business");
export const handle = { keys: listKeys };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const at = now();
  const today = utcDay(at);
  const period = readPeriod(params, today);
  const shown = params.get("in");
  const { before, after } = besides(period);
  const isLast = after > today.slice(0, after.length);
  return {
    ...(await readBusiness(db, period, at)),
    period,
    unit: isShownUnit(shown) ? shown : ("USD" as const),
    before: before >= firstPeriod.slice(0, before.length) ? before : null,
    after: isLast ? null : after,
    thisMonth: today.slice(0, 7),
  };
}

export default function BusinessPage({ loaderData }: Route.ComponentProps) {
  const { rows, total, pools, period, unit } = loaderData;
  const named = periodParams(period);
  const known = rows.filter(happened);
  return (
    <>
      <PageHeader
        title="Business"
        description="What came in, what of it is earned, and what it cost. Days and months are UTC."
        actions={<CsvLink file="/operator/business.csv" needs="business/export" />}
      />
      <Choices {...loaderData} />
      <h2 className={styles.period}>
        {periodName(named.period)}
        {total.goesOn ? <span className={styles.soFar}> so far</span> : null}
      </h2>
      {total.isTakenOut ? <TakenOut rows={rows} /> : null}
      {known.length === 0 ? (
        <EmptyState drawing="ledger">
          Nothing was booked in {periodName(named.period)}, and no machine ran. Sales appear here as
          soon as they are made.
        </EmptyState>
      ) : (
        <>
          <Totals total={total} unit={unit} />
          <Charts rows={rows} unit={unit} />
          <div className={styles.below}>
            <BusinessTable rows={known} total={total} unit={unit} />
          </div>
          <div className={styles.pair}>
            <PoolShares pools={pools} total={total.poolsPaid} unit={unit} />
            <FigureSources />
          </div>
        </>
      )}
    </>
  );
}

/** Whether there is anything to say of a period: rows of nothing would hide what there is. */
function happened({ booked, prepaid, poolsPaid, energy, isTakenOut }: BusinessRow): boolean {
  const sums = [
    ...figures.map((figure) => booked[figure]),
    poolsPaid,
    ...(prepaid ? [prepaid] : []),
  ];
  const isSome = sums.some(({ coins }) => Object.values(coins).some((units) => units !== 0n));
  return isSome || energy.wattHours > 0n || isTakenOut;
}

function Choices({ period, unit, before, after, thisMonth }: Route.ComponentProps["loaderData"]) {
  const [params] = useSearchParams();
  const named = periodParams(period);
  const year = named.period.slice(0, 4);
  const to = (changes: Record<string, string>) => withParams(params, { ...named, ...changes });
  const month =
    period.by === "day" ? named.period : year === thisMonth.slice(0, 4) ? thisMonth : `${year}-12`;
  const by = { day: to({ by: "day", period: month }), month: to({ by: "month", period: year }) };
  return (
    <div className={styles.choices}>
      <Tabs
        inPlace
        label="By day or month"
        tabs={[
          [by.day, "By day"],
          [by.month, "By month"],
        ]}
        here={by[period.by]}
      />
      <Tabs
        inPlace
        label="Counted in"
        tabs={shownUnits.map((each) => [to({ in: each }), each === "USD" ? "Dollars" : each])}
        here={to({ in: unit })}
      />
      <Tabs
        inPlace
        label="Period"
        tabs={[
          ...(before === null
            ? []
            : [[to({ period: before }), `← ${periodName(before)}`] as const]),
          ...(after === null ? [] : [[to({ period: after }), `${periodName(after)} →`] as const]),
        ]}
        here=""
      />
    </div>
  );
}

/** Totals stay when the ledger's entries of a month are kept elsewhere; what they are made of is not here. */
function TakenOut({ rows }: { rows: BusinessRow[] }) {
  const months = new Set(
    rows.filter(({ isTakenOut }) => isTakenOut).map(({ period }) => period.slice(0, 7)),
  );
  return (
    <div className={styles.notice}>
      <Notice title={`Taken out of the database: ${[...months].map(periodName).join(", ")}`}>
        The entries of these months are kept elsewhere. Their totals stayed, because the end of each
        day was noted, but no single transfer can be looked up here.
      </Notice>
    </div>
  );
}

function Charts({ rows, unit }: { rows: BusinessRow[]; unit: ShownUnit }) {
  const periods = rows.map(({ period }) => periodName(period));
  const drawn = (pick: (row: BusinessRow) => bigint | null) =>
    rows.map((row) => Number(pick(row) ?? 0n));
  const of = (...names: (typeof figures)[number][]) =>
    drawn((row) => names.reduce((sum, name) => sum + (amountOf(row.booked[name], unit) ?? 0n), 0n));
  const minus = (values: number[]) => values.map((value) => -value);
  const write = (value: number) => writeScale(value, unit);
  const income: BarSeries[] = [
    { name: "Earned", fill: "hatched", place: 0, values: of("earned") },
    { name: "Maintenance", fill: "solid", place: 0, values: of("maintenance") },
    { name: "Fees taken", fill: "barred", place: 0, values: of("withdrawalFees", "inactivity") },
    { name: "Own share of mining", fill: "dotted", place: 0, values: of("ownShare") },
    { name: "Network fees", fill: "crossed", place: 0, values: minus(of("networkFees")) },
  ];
  if (unit === "USD") {
    const energy = minus(drawn((row) => row.energy.usdMicros));
    income.push({ name: "Energy", fill: "lined", place: 0, values: energy });
  }
  const spoken = `from ${periods[0]} to ${periods.at(-1)}. The table below holds the figures.`;
  return (
    <div className={layout.pair}>
      <Panel title="Sold, and earned of what was sold">
        <BarChart
          label={`Contracts sold and earned, ${spoken}`}
          periods={periods}
          write={write}
          series={[
            { name: "Sold, less refunds", fill: "solid", place: 0, values: of("sold") },
            { name: "Earned", fill: "hatched", place: 1, values: of("earned") },
          ]}
        />
      </Panel>
      <Panel title="Income and costs">
        <BarChart
          label={`Income above the line and costs below it, ${spoken}`}
          periods={periods}
          write={write}
          series={income}
        />
      </Panel>
      <Panel title="Prepaid and not earned yet">
        <DayChart
          label={`What customers have prepaid and we have not earned yet, ${spoken}`}
          days={periods}
          write={write}
          series={[
            {
              name: "Prepaid at the end",
              line: "first",
              values: rows.map(({ prepaid }) => {
                const amount = prepaid && amountOf(prepaid, unit);
                return amount === null ? null : Number(amount);
              }),
            },
          ]}
        />
      </Panel>
      <Panel title="Paid by pools">
        <BarChart
          label={`What the pools paid for the days ${spoken}`}
          periods={periods}
          write={write}
          series={[
            {
              name: "Paid by pools, of which customers get their share",
              fill: "solid",
              place: 0,
              values: drawn(({ poolsPaid }) => amountOf(poolsPaid, unit)),
            },
          ]}
        />
      </Panel>
    </div>
  );
}
