import { Form } from "react-router";
import { runAct } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { FileField } from "#app/ui/controls/file-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { poolFormatNames } from "#core/mining/pool-formats.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { keepStatement } from "#server/payouts/keep-statement.ts";
import { listPools } from "#server/payouts/list-pools.ts";
import { listStatements } from "#server/payouts/list-statements.ts";
import { statementMaxBytes } from "#server/payouts/payout.ts";
import { type ReceivedForm, readUpload } from "#server/platform/files/read-upload.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { statementFile } from "../refusals/payouts.ts";
import { sayWith } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/import";
import { PayoutTabs } from "./payout-tabs.tsx";

export const middleware = guard("payouts/read", "payouts/keep-statement");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Import a pool's file");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const [pools, statements] = await Promise.all([listPools(db), listStatements(db, { limit: 30 })]);
  return { pools, statements };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const upload = { account: operator.id, field: "file", maxBytes: statementMaxBytes };
  return readUpload(request, upload, (received) => keep(app, operator, received));
}

async function keep(app: App, operator: ActingOperator, { fields, file, refusal }: ReceivedForm) {
  const { db, now, scanForViruses } = app;
  const poolId = String(fields.get("poolId") ?? "");
  return runAct(
    async () => {
      if (refusal) throw refusal;
      if (!file) throw new Refusal("files/missing");
      if (!isUuid(poolId)) throw new Refusal("payouts/no-such-pool");
      await scanForViruses(file.bytes);
      const wanted = { poolId, name: file.name, content: file.bytes };
      const { statementId } = await keepStatement(db, operator, wanted, now());
      return { to: `/operator/payouts/statements/${statementId}` };
    },
    (said) => ({ poolId, problem: said.text }),
    sayWith(statementFile),
  );
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
      <div className={layout.stack}>
        {pools.length === 0 ? (
          <Notice title="No pool yet">Add the pool under Pools and limit first.</Notice>
        ) : null}
        {pools.length > 0 && may("payouts/keep-statement") ? (
          <Panel title="Bring a file">
            <Form
              method="post"
              encType="multipart/form-data"
              preventScrollReset
              className={layout.form}
            >
              <SelectField
                label="Pool"
                name="poolId"
                defaultValue={actionData?.poolId ?? pools[0]?.id ?? ""}
                choices={pools.map(({ id, name, format }) => ({
                  value: id,
                  label: `${name} (${poolFormatNames[format]})`,
                }))}
              />
              <FileField
                name="file"
                label="File"
                error={actionData?.problem}
                accept=".csv,text/csv,text/plain"
                required
              />
              <div>
                <Button type="submit">Show what it says</Button>
              </div>
            </Form>
          </Panel>
        ) : null}
        {statements.length > 0 ? (
          <ConsoleTable
            label="Statements, newest first"
            rows={statements}
            columns={[
              {
                head: "Statement",
                value: "name",
                to: (statement) => `/operator/payouts/statements/${statement.id}`,
              },
              { head: "Pool", value: "poolName" },
              {
                head: "From",
                cell: (statement) => (statement.source === "api" ? "the pool itself" : "a file"),
              },
              { head: "Payouts on it", kind: "number", value: "payouts" },
              { head: "Received", value: "receivedAt" },
            ]}
          />
        ) : null}
      </div>
    </>
  );
}
