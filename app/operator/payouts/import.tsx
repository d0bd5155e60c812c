import { Button, NativeSelect } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import { type App, appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import type { ActingOperator } from "#server/identity/operator.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { keepStatement } from "#server/payouts/keep-statement.ts";
import { statementMaxBytes } from "#server/payouts/payout.ts";
import { listPools, listStatements } from "#server/payouts/queries.ts";
import { type ReceivedForm, readUpload } from "#server/platform/files/read-upload.ts";
import styles from "../act-form.module.css";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import list from "../console-list.module.css";
import { sayMiningRefusal } from "../say-mining-refusal.ts";
import columns from "../two-columns.module.css";
import { useMay } from "../use-may.ts";
import type { Route } from "./+types/import";
import { formatNames } from "./payout-schema.ts";
import { PayoutTabs } from "./payout-tabs.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("payouts/read", "payouts/keep-statement"),
];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Import a pool's file");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const [pools, statements] = await Promise.all([listPools(db), listStatements(db, { limit: 30 })]);
  return { pools, statements };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const operator = context.get(operatorContext);
  const upload = { account: operator.id, field: "file", maxBytes: statementMaxBytes };
  return readUpload(request, upload, (received) => keep(app, operator, received));
}

async function keep(app: App, operator: ActingOperator, { fields, file, refusal }: ReceivedForm) {
  const { db, now, scanForViruses } = app;
  const poolId = String(fields.get("poolId") ?? "");
  try {
    if (refusal) throw refusal;
    if (!file) throw new Refusal("files/missing");
    if (!isId(poolId)) throw new Refusal("payouts/no-such-pool");
    await scanForViruses(file.bytes);
    const wanted = { poolId, name: file.name, content: file.bytes };
    const { statementId } = await keepStatement(db, operator, wanted, now());
    return redirect(`/operator/payouts/statements/${statementId}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data({ poolId, problem: problemOf(error.code) }, 400);
  }
}

function problemOf(code: string): string {
  if (code === "files/missing") return "Choose the file that the pool exported";
  if (code === "files/too-large") return "At most 2 MB";
  if (code === "files/too-slow") return "The upload took longer than a minute. Please try again";
  if (code === "files/too-many-at-once") {
    return "Other files are being received. Try again in a minute";
  }
  if (code === "files/more-than-one") return "One file at a time";
  if (code === "files/virus-found") return "The virus scanner knows this file as harmful";
  if (code === "files/scanner-away") {
    return "The virus scanner does not answer. Try again in some minutes";
  }
  const { fieldErrors, formErrors } = sayMiningRefusal(code);
  return fieldErrors?.["file"]?.[0] ?? formErrors?.[0] ?? "This file could not be read";
}

export default function Import({ loaderData, actionData }: Route.ComponentProps) {
  const { pools, statements } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Payouts"
        description="A pool's file by day, as CSV. It is kept as it is; what would be recorded is shown line by line before anything is."
      />
      <PayoutTabs />
      <div className={columns.column}>
        {pools.length === 0 ? (
          <Notice title="No pool yet">Add the pool under Pools and limit first.</Notice>
        ) : null}
        {pools.length > 0 && may("payouts/keep-statement") ? (
          <Panel title="Bring a file">
            <Form
              method="post"
              encType="multipart/form-data"
              preventScrollReset
              className={styles.form}
            >
              <NativeSelect
                label="Pool"
                name="poolId"
                defaultValue={actionData?.poolId ?? pools[0]?.id ?? ""}
                data={pools.map(({ id, name, format }) => ({
                  value: id,
                  label: `${name} (${formatNames[format]})`,
                }))}
              />
              <FileInputField error={actionData?.problem} />
              <div>
                <Button type="submit">Show what it says</Button>
              </div>
            </Form>
          </Panel>
        ) : null}
        {statements.length > 0 ? (
          <DataTable label="Statements, newest first">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Statement</Table.Th>
                <Table.Th>Pool</Table.Th>
                <Table.Th>From</Table.Th>
                <Table.Th className={list.number}>Payouts on it</Table.Th>
                <Table.Th>Received</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {statements.map((statement) => (
                <Table.Tr key={statement.id} className={list.row}>
                  <Table.Td>
                    <Link
                      to={`/operator/payouts/statements/${statement.id}`}
                      className={list.link}
                      data-row
                    >
                      {statement.name}
                    </Link>
                  </Table.Td>
                  <Table.Td>{statement.poolName}</Table.Td>
                  <Table.Td>{statement.source === "api" ? "the pool itself" : "a file"}</Table.Td>
                  <Table.Td className={list.number}>{statement.payouts}</Table.Td>
                  <Table.Td>
                    <When at={statement.receivedAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </DataTable>
        ) : null}
      </div>
    </>
  );
}

/** The browser's own input: it works without JavaScript. */
function FileInputField({ error }: { error: string | undefined }) {
  return (
    <div className={styles.file}>
      <label htmlFor="statement-file">File</label>
      <input
        id="statement-file"
        type="file"
        name="file"
        accept=".csv,text/csv,text/plain"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "statement-file-error" : undefined}
      />
      {error ? (
        <p id="statement-file-error" className={list.error} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}
