import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { formatAmount } from "#core/money.ts";
import { importStatementAsOperator } from "#server/console/mining/import-statement-as-operator.ts";
import { findStatement } from "#server/payouts/find-statement.ts";
import { type LineOutcome, reviewStatement } from "#server/payouts/review-statement.ts";
import type { LineFault } from "#server/payouts/statement/statement-line.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct, nothingToFill } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { counted } from "../parts/counted.ts";
import { consoleOf, found, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/statement";
import { hashrateWords } from "./hashrate-words.ts";

export const middleware = guard("payouts/read", { import: "payouts/import" });
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    { title: `${loaderData?.statement.name ?? "Statement"} · ${matches[0].loaderData.siteName}` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const statement = found(
    isUuid(params.statementId) ? await findStatement(db, params.statementId) : null,
  );
  const isFile = statement.source === "file";
  const { lines } = isFile
    ? await reviewStatement(db, statement.id, now(), operator.id)
    : { lines: [] };
  return { statement, lines };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { statementId } = params;
  if (!isUuid(statementId)) throw notFound();
  return answerAct(await request.formData(), nothingToFill, async () => {
    const { waiting } = await importStatementAsOperator(db, operator, statementId, now());
    const say = waiting > 0 ? "statement-recorded-in-part" : "statement-recorded";
    return { to: `/operator/payouts/statements/${statementId}`, say };
  });
}

const faultWords: Record<LineFault, string> = {
  "cut-off": "A quotation mark is never closed here: this and all that follows cannot be read",
  "not-a-day": "There is no day in this line",
  "not-a-utc-day": "This does not begin at 00:00 UTC, so it is no UTC day",
  "not-an-amount": "The amount cannot be read",
  "more-than-exists": "More than can exist: is the unit right?",
  "not-a-hashrate": "The hashrate cannot be read",
  "hashrate-without-unit": "The hashrate has no unit",
  "not-a-txid": "The transaction id cannot be read",
  "other-coin": "Another coin than BTC",
  "twice-in-file": "The file has this day more than once. Enter it by hand",
  "day-not-over": "This day is not over yet, in UTC",
  "day-does-not-count": "The pool does not count on this day",
};

const nothingLeft = (lines: number) =>
  lines === 0
    ? "There is no line below the names of the columns."
    : "Every line is recorded already, or says why it cannot be.";

export default function StatementPage({ loaderData, actionData }: Route.ComponentProps) {
  const { statement, lines } = loaderData;
  const may = useMay();
  const wanted = lines.filter(({ outcome }) => outcome.does === "record");
  const sum = wanted.reduce((total, { said }) => total + (said?.units ?? 0n), 0n);
  const days = counted(wanted.length, "day");
  return (
    <>
      <PageHeader
        title={statement.name}
        description={<Link to="/operator/payouts/import">All statements</Link>}
        actions={
          may("payouts/download-statement") ? (
            <ButtonLink
              look="quiet"
              to={`/operator/payouts/statements/${statement.id}/file`}
              reloadDocument
            >
              Download the original
            </ButtonLink>
          ) : null
        }
      />
      <div className={layout.stack}>
        <Panel>
          <Facts
            facts={[
              { label: "Pool", value: statement.poolName },
              {
                label: "From",
                value:
                  statement.source === "api"
                    ? "the pool itself, by the worker"
                    : `a file, by ${statement.by ?? "the server"}`,
              },
              { label: "Received", value: statement.receivedAt },
              { label: "Size", value: formatFileSize(statement.bytes) },
              { label: "SHA-256", value: <code className={list.memo}>{statement.sha256}</code> },
            ]}
          />
        </Panel>
        {statement.source === "file" ? (
          <>
            {wanted.length === 0 ? (
              <Notice tone="info" title="Nothing is left to record">
                {nothingLeft(lines.length)}
              </Notice>
            ) : (
              <Panel title={`${days} to record, ${formatAmount(sum, "BTC")} BTC in all`}>
                {may("payouts/import") ? (
                  <ActForm
                    intent="import"
                    answer={actionData}
                    button={`Record ${days}`}
                    pendingText="Recording…"
                  />
                ) : (
                  <Notice>Recording is for a treasurer.</Notice>
                )}
              </Panel>
            )}
            <ConsoleTable
              label="What each line says, and what becomes of it"
              rows={lines}
              rowKey={({ line }) => line}
              columns={[
                { head: "Line", kind: "number", value: "line" },
                { head: "Day", kind: "day", cell: ({ said }) => said?.day ?? "–" },
                {
                  head: "Paid",
                  kind: "number",
                  cell: ({ said }) => (said ? <Amount units={said.units} asset="BTC" /> : "–"),
                },
                {
                  head: "Delivered",
                  kind: "number",
                  cell: ({ said }) => (said ? formatHashrate(said.deliveredGhs) : "–"),
                },
                { head: "Becomes", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
                { head: "As in the file", kind: "memo", value: "text" },
              ]}
            />
          </>
        ) : null}
      </div>
    </>
  );
}

const whyItWaits = {
  amount: "More than one person records alone: a second person confirms it",
  hashrate: `A second person is needed because ${hashrateWords}`,
  coins: "Your node has not seen coins for it yet: it is recorded once they are there",
};

function Outcome({ outcome }: { outcome: LineOutcome }) {
  if (outcome.does === "leave-out") {
    return (
      <>
        <StatusBadge status="left out" tone="bad" />
        <div className={list.second}>{faultWords[outcome.fault]}</div>
      </>
    );
  }
  if (outcome.does === "record") {
    return (
      <>
        <StatusBadge status="to record" tone="waiting" />
        {outcome.secondPerson ? (
          <div className={list.second}>{whyItWaits[outcome.secondPerson]}</div>
        ) : null}
      </>
    );
  }
  const link = <Link to={`/operator/payouts/${outcome.payoutId}`}>See it</Link>;
  if (outcome.does === "nothing") {
    return (
      <>
        <StatusBadge status={outcome.waits ? "waits already" : "recorded already"} tone="good" />
        <div className={list.second}>{link}</div>
      </>
    );
  }
  return (
    <>
      <StatusBadge status="recorded otherwise" tone="bad" />
      <div className={list.second}>
        {formatAmount(outcome.units, "BTC")} BTC at {formatHashrate(outcome.deliveredGhs)}. {link}{" "}
        and correct it there
      </div>
    </>
  );
}
