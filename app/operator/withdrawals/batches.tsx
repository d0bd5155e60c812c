import { randomUUID } from "node:crypto";
import { Checkbox, TextInput } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { type FlashKey, flash } from "#app/ui/flash.ts";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { Age, When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { type App, appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import type { ActingOperator } from "#server/identity/operator.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { getReadiness, listBatches, type Readiness } from "#server/withdrawals/batches/queries.ts";
import { formBatch } from "#server/withdrawals/form-batch.ts";
import { requireNode } from "#server/withdrawals/node.ts";
import { askForCoins } from "#server/withdrawals/scan-coins.ts";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import list from "../console-list.module.css";
import { readAfterConflict } from "../read-after-conflict.ts";
import { useMay } from "../use-may.ts";
import type { Route } from "./+types/batches";
import { batchTones, batchWords } from "./batch-words.ts";
import { refusalText, statusOf } from "./refusal-text.ts";
import { WithdrawalTabs } from "./withdrawal-tabs.tsx";
import styles from "./withdrawals.module.css";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("withdrawals/read", {
    "look-for-coins": "withdrawals/look-for-coins",
    "form-batch": "withdrawals/form-batch",
  }),
];
export const ErrorBoundary = ConsoleError;
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Batches of withdrawals");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const at = now();
  const [readiness, batches] = await Promise.all([
    getReadiness(db, config.wallets.bitcoin, at),
    listBatches(db, 100),
  ]);
  return {
    now: at,
    submissionKey: randomUUID(),
    hasNode: config.bitcoinChain?.kind === "node",
    twoPeopleAboveSats: config.withdrawals.twoPeopleAboveSats,
    readiness,
    batches,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const operator = context.get(operatorContext);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const feeRate = String(form.get("feeRate") ?? "");
  try {
    if (intent === "look-for-coins") {
      requireNode(app.config);
      await askForCoins(app.db, operator, app.config.wallets.bitcoin, app.now());
      return await said("coins-looked-for", "/operator/withdrawals/batches");
    }
    const batchId = await take(app, operator, form);
    return await said("batch-formed", `/operator/withdrawals/batches/${batchId}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const answer = { intent, feeRate, fault: refusalText(error.code) };
    return data(answer, statusOf(error.code));
  }
}

async function take({ db, config, now }: App, operator: ActingOperator, form: FormData) {
  const given = String(form.get("submissionKey"));
  const batch = {
    submissionKey: isId(given) ? given : randomUUID(),
    feeRate: Number(form.get("feeRate")),
    outpoints: form.getAll("coin").map(String).slice(0, 200),
    ...{ key: config.wallets.bitcoin, node: requireNode(config) },
    twoPeopleAboveSats: config.withdrawals.twoPeopleAboveSats,
  };
  return (await formBatch(db, operator, batch, now())).batchId;
}

async function said(key: FlashKey, to: string) {
  return redirect(to, { headers: { "Set-Cookie": await flash(key) } });
}

export default function BatchesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { readiness, batches, hasNode, now } = loaderData;
  return (
    <>
      <PageHeader
        title="Withdrawals"
        description="A batch is one transaction. It is built here, signed away from here, and sent once."
      />
      <WithdrawalTabs current="batches" />
      <div className={styles.column}>
        {hasNode && readiness.wallet ? null : (
          <Notice tone="warning" title="Batches cannot be built">
            {readiness.wallet
              ? "No Bitcoin node is configured: BITCOIN_RPC_URL."
              : "No Bitcoin wallet is configured: DEPOSIT_WALLET_BITCOIN."}
          </Notice>
        )}
        <Panel title={`Today, ${utcDay(now)} (UTC)`}>
          <Today data={loaderData} answer={actionData} />
        </Panel>
        {batches.length === 0 ? (
          <EmptyState drawing="block">No batch yet.</EmptyState>
        ) : (
          <DataTable label="Batches, newest first">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day</Table.Th>
                <Table.Th className={list.number}>Payments</Table.Th>
                <Table.Th className={list.number}>Pays</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Formed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {batches.map((batch) => (
                <Table.Tr key={batch.id} className={list.row}>
                  <Table.Td>
                    <Link
                      to={`/operator/withdrawals/batches/${batch.id}`}
                      className={list.link}
                      data-row
                    >
                      {batch.day}
                    </Link>
                  </Table.Td>
                  <Table.Td className={list.number}>{batch.payments}</Table.Td>
                  <Table.Td className={list.number}>
                    <Amount units={batch.units} asset="BTC" />
                  </Table.Td>
                  <Table.Td>
                    <StatusBadge status={batchWords[batch.state]} tone={batchTones[batch.state]} />
                  </Table.Td>
                  <Table.Td>
                    <When at={batch.formedAt} />
                    <div className={list.second}>{batch.formedBy}</div>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </DataTable>
        )}
      </div>
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];
type Answer = Route.ComponentProps["actionData"];

function Today({ data, answer }: { data: Data; answer: Answer }) {
  const { payments, scan, coins } = data.readiness;
  const may = useMay();
  const canForm = payments > 0 && scan?.askedAt && may("withdrawals/form-batch");
  return (
    <div className={styles.column}>
      <ReadinessFacts data={data} />
      {scan?.fault ? (
        <Notice tone="error" title="The last look for coins failed">
          {scan.fault}
        </Notice>
      ) : null}
      {may("withdrawals/look-for-coins") ? (
        <LookForm runs={scan?.runs === true} answer={answer} />
      ) : null}
      {canForm ? <FormForm data={data} answer={answer} coins={coins} /> : null}
    </div>
  );
}

function ReadinessFacts({ data: { readiness, now, twoPeopleAboveSats } }: { data: Data }) {
  const { payments, units, stopped, later } = readiness;
  return (
    <Facts
      facts={[
        { label: "Due", value: `${payments} ${payments === 1 ? "payment" : "payments"}` },
        payments > 0 && { label: "Together", value: <Amount units={units} asset="BTC" /> },
        stopped > 0 && {
          label: "Due, but not now",
          value: `${stopped}: held, frozen, or an account whose way in was changed`,
        },
        { label: "On later days", value: later },
        { label: "The wallet can spend", value: <Spendable readiness={readiness} now={now} /> },
        {
          label: "Two people",
          value: (
            <>
              above <Amount units={twoPeopleAboveSats} asset="BTC" />
            </>
          ),
        },
      ]}
    />
  );
}

function Spendable({ readiness: { scan, coins }, now }: { readiness: Readiness; now: Date }) {
  if (!scan?.askedAt) return "not looked for yet";
  const has = coins.reduce((sum, coin) => sum + coin.units, 0n);
  return (
    <>
      <Amount units={has} asset="BTC" /> in {coins.length} {coins.length === 1 ? "coin" : "coins"},
      as of block {scan.height}, <Age at={scan.askedAt} now={now} />
    </>
  );
}

function LookForm({ runs, answer }: { runs: boolean; answer: Answer }) {
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <FormAlert errors={answer?.intent === "look-for-coins" ? [answer.fault] : null} />
      <div>
        <SubmitButton name="intent" value="look-for-coins" variant="default" disabled={runs}>
          {runs ? "The node is looking…" : "Look for coins"}
        </SubmitButton>
      </div>
    </Form>
  );
}

interface FormFormProps {
  data: Data;
  answer: Answer;
  coins: Readiness["coins"];
}

function FormForm({ data, answer, coins }: FormFormProps) {
  const mine = answer?.intent === "form-batch" ? answer : null;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <FormAlert errors={mine ? [mine.fault] : null} />
      <input type="hidden" name="submissionKey" value={data.submissionKey} />
      <TextInput
        className={styles.narrow}
        name="feeRate"
        label="Fee rate"
        description="Satoshis per virtual byte"
        inputMode="numeric"
        required
        withAsterisk={false}
        defaultValue={mine?.feeRate ?? ""}
      />
      <details>
        <summary>Choose coins (otherwise as many as it takes, the largest first)</summary>
        <div className={styles.coins}>
          {coins.map(({ txid, vout, units, branch, index }) => (
            <div key={`${txid}:${vout}`} className={styles.coin}>
              <Checkbox
                name="coin"
                value={`${txid}:${vout}`}
                label={<Amount units={units} asset="BTC" plain />}
              />
              <code className={styles.address}>{`${txid.slice(0, 16)}…:${vout}`}</code>
              <span
                className={styles.note}
              >{`${branch === 1 ? "change" : "deposit"} ${index}`}</span>
            </div>
          ))}
        </div>
      </details>
      <div>
        <SubmitButton name="intent" value="form-batch" pendingText="Building…">
          {`Form the batch of ${utcDay(data.now)}`}
        </SubmitButton>
      </div>
    </Form>
  );
}
