import { Link, useSearchParams } from "react-router";
import { TableFrame } from "#app/ui/data-table.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { withParams } from "#app/ui/list-params.ts";
import { Table } from "#app/ui/table.tsx";
import { addSums, type BusinessRow, type Sum } from "#core/business-figures.ts";
import list from "../console-list.module.css";
import styles from "./business.module.css";
import { amountOf, periodName, type ShownUnit, writeAmount } from "./figure-words.ts";

interface BusinessTableProps {
  rows: BusinessRow[];
  total: BusinessRow;
  unit: ShownUnit;
}

/** The figures of the charts, newest first. */
export function BusinessTable({ rows, total, unit }: BusinessTableProps) {
  const inDollars = unit === "USD";
  return (
    <TableFrame label="The figures, newest first">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            {total.period === "total" && rows[0]?.period.length === 7 ? "Month" : "Day"}
          </Table.Th>
          <Table.Th ta="right">Sold</Table.Th>
          <Table.Th ta="right">Earned</Table.Th>
          <Table.Th ta="right">Prepaid at the end</Table.Th>
          <Table.Th ta="right">Maintenance</Table.Th>
          <Table.Th ta="right">Fees taken</Table.Th>
          <Table.Th ta="right">Own share</Table.Th>
          <Table.Th ta="right">Network fees</Table.Th>
          {inDollars ? <Table.Th ta="right">Energy</Table.Th> : null}
          {inDollars ? <Table.Th ta="right">Left</Table.Th> : null}
          <Table.Th ta="right">Paid by pools</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...rows].reverse().map((row) => (
          <Table.Tr key={row.period} className={list.row}>
            <Table.Td className={list.day}>
              <Period row={row} />
            </Table.Td>
            <Cells row={row} unit={unit} />
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Td>Together</Table.Td>
          <Cells row={total} unit={unit} />
        </Table.Tr>
      </Table.Tfoot>
    </TableFrame>
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

function Cells({ row, unit }: { row: BusinessRow; unit: ShownUnit }) {
  const { booked, prepaid, energy, leftUsdMicros, poolsPaid } = row;
  const [credited] = row.credited;
  const isDay = row.period.length === 10;
  return (
    <>
      <Figure sum={booked.sold} unit={unit} />
      <Table.Td ta="right" className={list.number}>
        <Written sum={booked.earned} unit={unit} />
        {isDay && credited !== undefined ? (
          <>
            {" "}
            <Hallmark to={`/operator/mining/${credited}`} label={`How ${credited} was credited`} />
          </>
        ) : null}
      </Table.Td>
      <Figure sum={prepaid} unit={unit} />
      <Figure sum={booked.maintenance} unit={unit} />
      <Figure sum={addSums(booked.withdrawalFees, booked.inactivity)} unit={unit} />
      <Figure sum={booked.ownShare} unit={unit} />
      <Figure sum={booked.networkFees} unit={unit} />
      {unit === "USD" ? (
        <>
          <Table.Td ta="right" className={list.number}>
            {energy.wattHours === 0n ? "–" : writeAmount(energy.usdMicros, "USD")}
            {energy.lacksPrice ? <div className={list.second}>a price is missing</div> : null}
          </Table.Td>
          <Table.Td
            ta="right"
            className={`${list.number} ${leftUsdMicros !== null && leftUsdMicros < 0n ? styles.loss : ""}`}
          >
            {leftUsdMicros === null ? (
              <span className={list.second}>not known</span>
            ) : (
              writeAmount(leftUsdMicros, "USD")
            )}
          </Table.Td>
        </>
      ) : null}
      <Figure sum={poolsPaid} unit={unit} />
    </>
  );
}

function Figure({ sum, unit }: { sum: Sum | null; unit: ShownUnit }) {
  return (
    <Table.Td ta="right" className={list.number}>
      <Written sum={sum} unit={unit} />
    </Table.Td>
  );
}

function Written({ sum, unit }: { sum: Sum | null; unit: ShownUnit }) {
  if (sum === null) return <span className={list.second}>not noted</span>;
  const amount = amountOf(sum, unit);
  if (amount === null) return <span className={list.second}>no price</span>;
  return amount === 0n ? "–" : writeAmount(amount, unit);
}
