import { Link } from "react-router";
import { NetBars } from "#app/ui/charts/net-bars.tsx";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { stateWords } from "#app/ui/figures/contract-state-words.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Term } from "#app/ui/figures/term.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable, TableFrame } from "#app/ui/tables/data-table.tsx";
import { Table } from "#app/ui/tables/table.tsx";
import { contractState } from "#core/mining/contract-state.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsdMicros } from "#core/money.ts";
import { addDays, formatDay, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findRunway } from "#server/mining/contracts/find-runway.ts";
import {
  type ContractWithTotals,
  listContractsWithTotals,
} from "#server/mining/contracts/list-contracts-with-totals.ts";
import { type CustomerDay, listCustomerDays } from "#server/mining/days/list-customer-days.ts";
import { findReservedDays } from "#server/mining/days/list-customers-apart.ts";
import { listClocks } from "#server/mining/grace-periods/list-clocks.ts";
import type { Route } from "./+types/contracts";
import { ClockNotice } from "./clock-notice.tsx";
import { breakEvenWords, daysLeft, resultUsdMicros } from "./contract-words.ts";
import styles from "./mining.module.css";
import { RunwayLine } from "./runway-line.tsx";

export const meta = titled("Mining");

/** As many days as the chart has room for. */
const shownDays = 90;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const to = utcDay(at);
  const [contracts, days, clocks, reserved, runway] = await Promise.all([
    listContractsWithTotals(db, id),
    listCustomerDays(db, id, { from: addDays(to, -shownDays), to }),
    listClocks(db, { now: at, customerId: id }),
    findReservedDays(db, id),
    findRunway(db, id, at),
  ]);
  return { contracts, days, clocks, reserved, runway, now: at };
}

export default function Mining({ loaderData }: Route.ComponentProps) {
  const { contracts, days, clocks, reserved, runway, now } = loaderData;
  return (
    <>
      <PageHeader
        title="Mining"
        description="Your contracts, what each day brought, and why."
        actions={
          contracts.length > 0 ? (
            <ButtonLink to="/account/mining/buy">Buy a contract</ButtonLink>
          ) : null
        }
      />
      <div className={styles.stack}>
        {reserved ? <ReservedNotice {...reserved} /> : null}
        {clocks.map((clock) => (
          <ClockNotice key={clock.clockId} clock={clock} />
        ))}
        {contracts.length === 0 ? (
          <Panel>
            <EmptyState
              drawing="rack"
              action={
                <ButtonLink to="/plans" reloadDocument>
                  See the plans
                </ButtonLink>
              }
            >
              No contracts yet. Each plan shows its price, how that is made up, and what past
              contracts really returned.
            </EmptyState>
          </Panel>
        ) : (
          <>
            {clocks.length === 0 && runway ? (
              <Panel flush>
                <RunwayLine runway={runway} unpaidSats={0n} />
              </Panel>
            ) : null}
            {days.length > 0 ? <Days days={days} /> : null}
            <Panel title="Contracts" flush>
              <ContractTable contracts={contracts} now={now} />
            </Panel>
          </>
        )}
      </div>
    </>
  );
}

/** An error of ours: it delays no other customer, and this customer loses nothing. */
function ReservedNotice({ count, first, sats }: { count: number; first: string; sats: bigint }) {
  return (
    <Notice
      tone="warning"
      role="status"
      title={
        count === 1
          ? `${formatDay(first)} is not credited yet`
          : `${count} days since ${formatDay(first)} are not credited yet`
      }
    >
      An error on our side kept us from crediting you, and our staff have been told. Your share
      {sats > 0n ? (
        <>
          , <Amount units={sats} asset="BTC" /> so far,
        </>
      ) : null}{" "}
      is calculated from the same evidence as everyone&rsquo;s and reserved for you. We try again
      automatically. Until then your contracts&rsquo; timers pause.
    </Notice>
  );
}

function Days({ days }: { days: CustomerDay[] }) {
  const shown = days.map((each) => ({
    day: each.day,
    netSats: each.creditSats + each.correctedSats - each.feeSats,
    referenceSats: each.referenceSats === null ? null : each.referenceSats - each.feeSats,
  }));
  return (
    <Panel
      title="Net earnings of each day"
      aside={
        <p className={styles.legend}>
          <span>
            <i className={styles.barKey} /> credited less maintenance
          </span>{" "}
          {shown.some(({ netSats }) => netSats < 0n) ? (
            <span>
              <i className={`${styles.barKey} ${styles.lossKey}`} /> a day that lost
            </span>
          ) : null}{" "}
          <span>
            <i className={styles.lineKey} /> what the network would have paid, less maintenance
          </span>
        </p>
      }
    >
      <NetBars
        days={shown.map(({ day }) => day)}
        netSats={shown.map((each) => each.netSats)}
        referenceSats={shown.map((each) => each.referenceSats)}
      />
      <details className={styles.behind}>
        <summary>
          {days.length === 1
            ? "The figures of one day"
            : `The figures of the last ${days.length} days`}
        </summary>
        <DataTable
          label="Days"
          bare
          rows={[...days].reverse()}
          rowKey={(each) => each.day}
          columns={[
            { head: "UTC day", names: true, cell: (each) => <Day day={each.day} /> },
            {
              head: "Credited",
              align: "right",
              cell: (each) => (
                <Amount units={each.creditSats + each.correctedSats} asset="BTC" plain />
              ),
            },
            {
              head: "Maintenance",
              align: "right",
              cell: (each) => <Amount units={-each.feeSats} asset="BTC" plain />,
            },
            {
              head: "Net",
              align: "right",
              cell: (each) => (
                <Amount
                  units={each.creditSats + each.correctedSats - each.feeSats}
                  asset="BTC"
                  signed
                  plain
                />
              ),
            },
            {
              head: (
                <>
                  <Term of="reference" />, before maintenance
                </>
              ),
              align: "right",
              cell: (each) =>
                each.referenceSats === null ? (
                  "not known"
                ) : (
                  <Amount units={each.referenceSats} asset="BTC" plain />
                ),
            },
          ]}
        />
      </details>
    </Panel>
  );
}

function ContractTable({ contracts, now }: { contracts: ContractWithTotals[]; now: Date }) {
  return (
    <TableFrame label="Contracts" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Contract</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Earned</Table.Th>
          <Table.Th ta="right" className={styles.wide}>
            Maintenance
          </Table.Th>
          <Table.Th ta="right" className={styles.wide}>
            Net
          </Table.Th>
          <Table.Th className={styles.wide}>
            <Term of="break-even" />
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {contracts.map((contract) => (
          <ContractRow key={contract.contractId} contract={contract} now={now} />
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}

function ContractRow({ contract, now }: { contract: ContractWithTotals; now: Date }) {
  const state = contractState(contract, now);
  const { word, tone } = stateWords[state];
  const left = daysLeft(contract.startsOn, contract.projectedLastDay, now);
  const net = contract.creditedSats - contract.feesSats;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Link to={`/account/mining/${contract.contractId}`}>
          {contract.quantity} × {contract.planName}
        </Link>
        <div className={styles.quiet}>{formatGhs(contract.ghs)}</div>
      </Table.Th>
      <Table.Td>
        <StatusBadge status={word} tone={tone} />
        <div className={styles.quiet}>
          {state === "active"
            ? `${left} ${left === 1 ? "day" : "days"} left`
            : state === "waiting" || state === "cooling-off"
              ? `starts ${formatDay(contract.startsOn)}`
              : state === "ended"
                ? `until ${formatDay(contract.lastDay ?? "")}`
                : "refunded in full"}
        </div>
      </Table.Td>
      <Table.Td ta="right">
        <Amount units={contract.creditedSats} asset="BTC" />
        <div className={styles.narrow}>
          net <Amount units={net} asset="BTC" signed plain />
          <Unpaid sats={contract.unpaidSats} />
        </div>
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={-contract.feesSats} asset="BTC" />
        <Unpaid sats={contract.unpaidSats} />
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={net} asset="BTC" signed />
        {state === "given-back" ? null : (
          <div className={styles.quiet}>
            after the price: {withMinus(formatUsdMicros(resultUsdMicros(contract)))}
          </div>
        )}
      </Table.Td>
      <Table.Td className={styles.wide}>
        {state === "given-back" ? "–" : breakEvenWords(contract)}
      </Table.Td>
    </Table.Tr>
  );
}

/** What waits for the balance, and is in no other figure yet. */
function Unpaid({ sats }: { sats: bigint }) {
  return sats === 0n ? null : (
    <div className={styles.quiet}>
      unpaid: <Amount units={-sats} asset="BTC" plain />
    </div>
  );
}
