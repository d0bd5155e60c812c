import { Button } from "@mantine/core";
import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { listStatement, type StatementLine } from "#server/ledger/queries.ts";
import type { Route } from "./+types/transactions";
import { kindInWords } from "./journal-words.ts";
import columns from "./phone-columns.module.css";
import styles from "./transactions.module.css";

export const meta = titled("Transactions");

const limit = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const after = new URL(request.url).searchParams.get("after") ?? undefined;
  const lines = await listStatement(db, id, { after, limit: limit + 1 });
  return { lines: lines.slice(0, limit), more: lines.length > limit };
}

export default function Transactions({ loaderData: { lines, more } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Transactions"
        description="Every entry on your accounts, newest first. Filters, totals per kind and an export for your books will stand here too."
      />
      <Panel flush>
        {lines.length === 0 ? (
          <EmptyState drawing="journal" action={<DepositButton />}>
            The journal holds nothing of yours yet. The first entry is written when a deposit is
            approved.
          </EmptyState>
        ) : (
          <Entries lines={lines} />
        )}
      </Panel>
      {lines.length === 0 ? null : (
        <OlderNewer after={more ? (lines.at(-1)?.cursor ?? null) : null}>
          {lines.length} {lines.length === 1 ? "entry" : "entries"} shown
        </OlderNewer>
      )}
    </>
  );
}

function DepositButton() {
  return (
    <Button component={Link} to="/account/deposit" variant="outline">
      Make a deposit
    </Button>
  );
}

/** On a phone the account stands under the time, the balance under the amount. */
function Entries({ lines }: { lines: StatementLine[] }) {
  return (
    <DataTable label="Entries" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
          <Table.Th ta="right" className={columns.wide}>
            Balance after
          </Table.Th>
          <Table.Th className={columns.wide}>Account</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.cursor}>
            <Table.Td>
              <div className={styles.kind}>{kindInWords[line.kind]}</div>
              {saysWhy(line) ? <div className={styles.why}>{line.memo}</div> : null}
              <div className={styles.when}>
                <When at={line.occurredAt} beside />
                <div className={columns.narrow}>{accountOf(line)}</div>
              </div>
            </Table.Td>
            <Table.Td ta="right">
              <Amount units={line.units} asset={line.asset} signed />
              <Hallmark
                to={`/account/evidence/${line.transferId}`}
                label="The transfer behind this entry"
              />
              <div className={`${columns.narrow} ${styles.when}`}>
                <div>Balance after</div>
                <Amount units={line.balanceAfter} asset={line.asset} />
              </div>
            </Table.Td>
            <Table.Td ta="right" className={columns.wide}>
              <Amount units={line.balanceAfter} asset={line.asset} />
            </Table.Td>
            <Table.Td className={columns.wide}>{accountOf(line)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

/** What staff gave or took back by hand has a reason, which stands beside it. */
function saysWhy({ source, memo }: StatementLine): boolean {
  return memo !== "" && source.startsWith("adjustment:");
}

function accountOf({ account }: StatementLine): string {
  return account === "held" ? "Held" : "Available";
}
