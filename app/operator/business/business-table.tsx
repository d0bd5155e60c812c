import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { type Column, DataTable } from "#app/ui/tables/data-table.tsx";
import { withParams } from "#app/ui/tables/list-params.ts";
import { addSums, type BusinessRow, type Sum } from "#core/markets/business-figures.ts";
import list from "../parts/console-list.module.css";
import styles from "./business.module.css";
import { amountOf, periodName, type ShownUnit, writeAmount } from "./figure-words.ts";

interface BusinessTableProps {
  rows: BusinessRow[];
  total: BusinessRow;
  unit: ShownUnit;
}

/** The figures of the charts, newest first. */
export function BusinessTable({ rows, total, unit }: BusinessTableProps) {
  const isByMonth = rows[0]?.period.length === 7;
  const figure = (
    name: string,
    head: string,
    value: (row: BusinessRow) => ReactNode,
    by: (row: BusinessRow) => bigint | null,
  ): Column<BusinessRow> => ({
    head,
    align: "right",
    className: list.number,
    cell: value,
    foot: value(total),
    sort: { column: name, first: "desc", by },
  });
  const sum = (name: string, head: string, of: (row: BusinessRow) => Sum | null) =>
    figure(
      name,
      head,
      (row) => <Written sum={of(row)} unit={unit} />,
      (row) => {
        const found = of(row);
        return found && amountOf(found, unit);
      },
    );
  const inDollars = unit === "USD";
  return (
    <DataTable
      label="The figures, newest first"
      rows={rows.toReversed()}
      rowKey={({ period }) => period}
      rowClass={list.row}
      columns={[
        {
          head: isByMonth ? "Month" : "Day",
          foot: "Together",
          cellClass: list.day,
          sort: { column: "period", first: "desc", by: ({ period }) => period },
          cell: (row) => <Period row={row} />,
        },
        sum("sold", "Sold", ({ booked }) => booked.sold),
        figure(
          "earned",
          "Earned",
          (row) => <Earned row={row} unit={unit} />,
          ({ booked }) => amountOf(booked.earned, unit),
        ),
        sum("prepaid", "Prepaid at the end", ({ prepaid }) => prepaid),
        sum("maintenance", "Maintenance", ({ booked }) => booked.maintenance),
        sum("fees", "Fees taken", ({ booked }) =>
          addSums(booked.withdrawalFees, booked.inactivity),
        ),
        sum("own", "Own share", ({ booked }) => booked.ownShare),
        sum("network", "Network fees", ({ booked }) => booked.networkFees),
        inDollars
          ? figure(
              "energy",
              "Energy",
              ({ energy }) => <Energy energy={energy} />,
              ({ energy }) => energy.usdMicros,
            )
          : null,
        inDollars
          ? figure(
              "left",
              "Left",
              ({ leftUsdMicros }) => <Left usdMicros={leftUsdMicros} />,
              ({ leftUsdMicros }) => (leftUsdMicros === "later" ? null : leftUsdMicros),
            )
          : null,
        sum("pools", "Paid by pools", ({ poolsPaid }) => poolsPaid),
      ]}
    />
  );
}

/** What the row is of, with the way to what it is made of. */
function Period({ row }: { row: BusinessRow }) {
  const [params] = useSearchParams();
  const { period, since, goesOn, isTakenOut } = row;
  const isMonth = period.length === 7;
  const start = isMonth ? `${period}-01` : period;
  return (
    <>
      {isMonth ? (
        <Link to={withParams(params, { by: "day", period })} className={list.link} data-row>
          {periodName(period)}
        </Link>
      ) : (
        period
      )}
      {goesOn ? <div className={list.second}>so far</div> : null}
      {since !== null && since < start ? (
        <div className={list.second}>booked since {since}</div>
      ) : null}
      {isTakenOut ? <div className={list.second}>entries taken out</div> : null}
    </>
  );
}

function Earned({ row, unit }: { row: BusinessRow; unit: ShownUnit }) {
  const [credited] = row.credited;
  const isDay = row.period.length === 10;
  return (
    <>
      <Written sum={row.booked.earned} unit={unit} />
      {isDay && credited !== undefined ? (
        <>
          {" "}
          <Hallmark to={`/operator/mining/${credited}`} label={`How ${credited} was credited`} />
        </>
      ) : null}
    </>
  );
}

function Energy({ energy: { wattHours, usdMicros, lacksPrice } }: Pick<BusinessRow, "energy">) {
  return (
    <>
      {wattHours === 0n ? "–" : writeAmount(usdMicros, "USD")}
      {lacksPrice ? <div className={list.second}>a price is missing</div> : null}
    </>
  );
}

function Left({ usdMicros }: { usdMicros: BusinessRow["leftUsdMicros"] }) {
  if (usdMicros === "later") return "–";
  if (usdMicros === null) return <span className={list.second}>not known</span>;
  return (
    <span className={usdMicros < 0n ? styles.loss : undefined}>
      {writeAmount(usdMicros, "USD")}
    </span>
  );
}

function Written({ sum, unit }: { sum: Sum | null; unit: ShownUnit }) {
  if (sum === null) return <span className={list.second}>not noted</span>;
  const amount = amountOf(sum, unit);
  if (amount === null) return <span className={list.second}>no price</span>;
  return amount === 0n ? "–" : writeAmount(amount, unit);
}
