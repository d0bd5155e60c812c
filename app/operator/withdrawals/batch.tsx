import { Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { FileField } from "#app/ui/controls/file-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { Age, Day, When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { Timeline, type TimelineEvent } from "#app/ui/page/timeline.tsx";
import { writeFeeRate } from "#core/payments/fee-rate.ts";
import { healthTexts } from "#core/payments/source-health.ts";
import {
  type AbandonmentState,
  withdrawalStateWords,
  withdrawalTerms,
} from "#core/payments/withdrawal.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import { type BatchCase, findBatch } from "#server/withdrawals/batches/find-batch.ts";
import {
  isAlone as hasNoColleague,
  needsSecondPerson,
} from "#server/withdrawals/batches/order-broadcast.ts";
import { AnotherPayment } from "#server/withdrawals/batches/upload-signed.ts";
import { type BatchChange, changeOf } from "#server/withdrawals/bitcoin/change-of.ts";
import { type FeeSuggestion, suggestFee } from "#server/withdrawals/bitcoin/suggest-fee.ts";
import { nodesOf } from "#server/withdrawals/node.ts";
import grid from "../deposits/deposit.module.css";
import { PlainForm } from "../parts/act-form.tsx";
import { ApprovalNote } from "../parts/approval-note.tsx";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { blocksMs, useProgress } from "../parts/use-progress.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/batch";
import { outcomeWords, stateOfBatch } from "./batch-words.ts";
import { changeFacts, NoOrigin } from "./change-facts.tsx";
import { FeeRateField } from "./fee-rate-field.tsx";
import { GasPriceFields, inGwei } from "./gas-price.tsx";
import { LostBatchPanel } from "./lost-batch.tsx";
import { runBatchForm } from "./run-batch-form.ts";
import styles from "./withdrawals.module.css";

export const middleware = guard("withdrawals/read", {
  upload: "withdrawals/upload-signed",
  order: "withdrawals/order-broadcast",
  rebuild: "withdrawals/rebuild-batch",
  "propose-abandonment": "withdrawals/propose-abandonment",
  "confirm-abandonment": "withdrawals/confirm-abandonment",
  "decline-abandonment": "withdrawals/decline-abandonment",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Batch of withdrawals");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const batch = await findBatch(db, params.batchId);
  if (!batch) throw notFound();
  const [last] = batch.versions;
  const isToOrder = batch.endedAt === null && last?.signedAt != null && last.orderedAt === null;
  const isMaker = isToOrder && [batch.formedBy, last.madeBy].includes(operator.id);
  const { bitcoin: node } = nodesOf(config);
  const asksForRate = node && batch.chain === "bitcoin" && batch.endedAt === null;
  const suggestion = asksForRate ? await suggestFee(node) : null;
  const needsColleague =
    isMaker && (batch.needsTwo || (await needsSecondPerson(db, operator.id, last.id)));
  const isAlone = isMaker && (await hasNoColleague(db, operator.id));
  const change = changeOf(batch);
  return {
    isAlone,
    batch,
    change,
    needsColleague,
    suggestion,
    operatorId: operator.id,
    now: now(),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const { batchId } = params;
  const typed = (name: string) => String(form.get(name) ?? "");
  return runAct(
    async () => ({
      to: `/operator/withdrawals/batches/${batchId}`,
      say: await runBatchForm(app, operator, batchId, form),
    }),
    (said, refusal): BatchAnswer => ({
      intent: typed("intent"),
      text: typed("text"),
      reason: typed("reason"),
      feeRate: typed("feeRate"),
      maxFee: typed("maxFee"),
      tip: typed("tip"),
      fault: said.text,
      differences: refusal instanceof AnotherPayment ? refusal.differences : [],
    }),
    sayRefusal,
  );
}

interface BatchAnswer {
  intent: string;
  text: string;
  reason: string;
  feeRate: string;
  maxFee: string;
  tip: string;
  fault: string;
  differences: string[];
}

type Version = BatchCase["versions"][number];

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isAlone, batch, change, needsColleague, suggestion, operatorId, now } = loaderData;
  const [last] = batch.versions;
  useBatchProgress(batch);
  if (!last) return null;
  const goesOn = batch.state === "formed" || batch.state === "broadcast";
  const ending = endingOf(batch);
  // Of several versions the chain may have taken another one than the newest.
  const counts = batch.versions.find(({ id }) => id === batch.minedVersionId) ?? last;
  return (
    <>
      <PageHeader
        title={titleOf(batch)}
        description={<StatusBadge {...stateOfBatch(shown(batch))} />}
        actions={<Link to="/operator/withdrawals/batches">All batches</Link>}
      />
      <div className={grid.case}>
        <div className={grid.claim}>
          {last.fault ? (
            <Notice tone="error" title="The node would not take it">
              {last.fault}. We try again each minute. If a coin of it was spent elsewhere, build the
              batch again: the new version leaves that coin out. If its first coin was spent, or a
              nonce used elsewhere, what it concerns ends automatically once that is final, and the
              coins go back to the customers.
            </Notice>
          ) : null}
          {goesOn && batch.incident ? (
            <Notice tone="warning" title={healthTexts[batch.incident.health]}>
              Since <When at={batch.incident.since} /> the batch cannot be followed: nothing of it
              ends, and nothing is sent again. The node of {chainNames[batch.chain]} says:{" "}
              {batch.incident.detail}. It is asked again each minute.
              <br />
              Last asked <Age at={batch.incident.lastPolledAt} now={now} />
            </Notice>
          ) : null}
          <BeingEnded state={ending} />
          {goesOn ? <NoOrigin change={change} /> : null}
          <VersionFacts version={counts} batch={batch} change={change} />
          {goesOn && !last.orderedAt && (last.signedAt || !ending) ? (
            <Next
              batch={batch}
              last={last}
              needsColleague={needsColleague}
              isAlone={isAlone}
              answer={actionData}
            />
          ) : null}
          {goesOn ? (
            <Rebuild batch={batch} last={last} answer={actionData} suggestion={suggestion} />
          ) : null}
          <LostBatchPanel batch={batch} operatorId={operatorId} answer={actionData} />
        </div>
        <div className={grid.evidence}>
          <Panel title="What happened">
            <Timeline events={eventsOf(batch)} />
          </Panel>
        </div>
      </div>
      {batch.withdrawals.length > 0 ? <Payments batch={batch} last={counts} /> : null}
    </>
  );
}

/** While it is being sent, and slowly while blocks are waited for. */
function useBatchProgress({ id, state, versions: [last] }: BatchCase): void {
  const isSending = state === "formed" && last?.orderedAt != null && last.fault === null;
  useProgress({
    runs: isSending,
    of: id,
    done: "The batch is sent",
    fault: last?.fault ? "The node would not take it" : null,
  });
  useRefresh(state === "broadcast" ? blocksMs : null);
}

function titleOf({ chain, purpose, day }: BatchCase) {
  return (
    <>
      {purpose === "consolidation" ? "Consolidation" : `${chainNames[chain]} batch`} of{" "}
      <Day day={day} />
    </>
  );
}

function shown({ state, endedAt, ending, versions: [last] }: BatchCase) {
  const isSigned = last?.signedAt != null;
  return { state, endedAt, ending, isSigned, isOrdered: last?.orderedAt != null };
}

/** What was said of ending a batch that has not ended; null: nothing, or it was declined. */
function endingOf({ endedAt, ending }: BatchCase): AbandonmentState | null {
  return endedAt ? null : ending;
}

/** Until that is declined no version is taken away to be signed. */
function BeingEnded({ state }: { state: AbandonmentState | null }) {
  if (!state) return null;
  return (
    <Notice tone="warning">
      {state === "confirmed"
        ? "A colleague confirmed that this batch ends. To sign it after all, decline that first."
        : "A colleague was asked to end this batch. Decline that first."}
    </Notice>
  );
}

interface VersionFactsProps {
  version: Version;
  batch: BatchCase;
  change: BatchChange | null;
}

function VersionFacts({ version, batch, change }: VersionFactsProps) {
  const { number, pays, reason } = version;
  const may = useMay();
  const isOne = batch.chain === "bitcoin";
  const what = isOne ? "The transaction" : "The transactions";
  return (
    <Panel
      title={number === 1 ? what : `${what}, version ${number}`}
      aside={
        may("withdrawals/download-psbt") && !batch.endedAt && !endingOf(batch) ? (
          <span className={styles.ways}>
            <a
              href={`/operator/withdrawals/batches/${batch.id}/${number}.${isOne ? "psbt" : "json"}`}
              download
            >
              Download to sign
            </a>
            {isOne ? (
              <Link to={`/operator/withdrawals/batches/${batch.id}/sign/${number}`}>
                Text and QR code
              </Link>
            ) : null}
          </span>
        ) : null
      }
    >
      <Facts
        facts={[
          { label: "Built again", value: reason },
          { label: "Payments", value: pays.length },
          ...(isOne ? bitcoinFacts(version, change) : ethereumFacts(version, batch)),
          { label: "Two people", value: batch.needsTwo ? "needed" : "not for its total" },
        ]}
      />
    </Panel>
  );
}

function bitcoinFacts(version: Version, change: BatchChange | null) {
  const { feeUnits, feePerKvb, spends, txid } = version;
  return [
    { label: "Fee", value: <Amount units={feeUnits} asset="BTC" /> },
    { label: "Fee rate", value: `${writeFeeRate(feePerKvb ?? 0)} sat/vB` },
    { label: "Coins spent", value: spends.length },
    ...changeFacts(version, change),
    txid !== null && {
      label: "Transaction id",
      value: <CopyField text={txid} label="transaction id" />,
    },
  ];
}

function ethereumFacts(version: Version, { hotWallet, chainId }: BatchCase) {
  const { feeUnits, maxFeePerGas, maxPriorityFeePerGas, spends } = version;
  const nonces = spends.map((each) => Number(each.split(":")[1]));
  const [first, last] = [Math.min(...nonces), Math.max(...nonces)];
  return [
    { label: "Nonces", value: first === last ? first : `${first} to ${last}` },
    { label: "Highest fee", value: `${inGwei(maxFeePerGas ?? 0n)} gwei per gas` },
    { label: "Tip in it", value: `${inGwei(maxPriorityFeePerGas ?? 0n)} gwei per gas` },
    { label: "Costs at most", value: <Amount units={feeUnits} asset="ETH" /> },
    { label: "Paid from", value: <CopyField text={hotWallet ?? ""} label="address" /> },
    { label: "Chain", value: chainId },
  ];
}

interface FormProps {
  batch: BatchCase;
  last: Version;
  answer: BatchAnswer | undefined;
}

const faultOf = (answer: BatchAnswer | undefined, intent: string) =>
  answer?.intent === intent ? answer : null;

interface NextProps extends FormProps {
  needsColleague: boolean;
  /** Nobody else could order it. */
  isAlone: boolean;
}

function Next({ batch, last, needsColleague, isAlone, answer }: NextProps) {
  const may = useMay();
  if (!last.signedAt) {
    return may("withdrawals/upload-signed") ? (
      <Upload batch={batch} last={last} answer={answer} />
    ) : null;
  }
  if (!may("withdrawals/order-broadcast") || needsColleague) {
    return (
      <Notice title="Signed, waits for a colleague">
        {needsColleague ? whyColleague(batch) : "An approver or an owner orders the broadcast."}
      </Notice>
    );
  }
  const fault = faultOf(answer, "order");
  return (
    <Panel title="Send it">
      <PlainForm
        intent="order"
        fault={fault?.fault}
        hidden={{ number: String(last.number) }}
        button="Order the broadcast"
        pendingText="Ordering…"
      >
        <p className={layout.note}>
          The signed transaction pays exactly what is listed below. Once sent it cannot be reversed.
        </p>
        {isAlone ? (
          <p className={layout.note}>
            You order this alone: no other approver or owner has set a password. The audit log says
            so.
          </p>
        ) : null}
        <ApprovalNote />
      </PlainForm>
    </Panel>
  );
}

function whyColleague({ purpose }: BatchCase): string {
  const who = "You formed the batch or built this version, so a colleague orders the broadcast";
  return purpose === "consolidation"
    ? `${who}. A consolidation always takes two people.`
    : `${who}: the total is above the limit, by itself or with what you formed and ordered within 24 hours.`;
}

const textWords: Record<BatchCase["chain"], string> = {
  bitcoin: "A PSBT as base64, or the finished transaction as hex",
  ethereum: "Each signed transaction as hex in a line of its own, or a JSON list of them",
};

function Upload({ batch, last, answer }: FormProps) {
  const fault = faultOf(answer, "upload");
  return (
    <Panel title="Bring back what was signed">
      <Form method="post" encType="multipart/form-data" preventScrollReset className={layout.form}>
        {fault?.fault ? (
          <Notice tone="error">
            {fault.fault}
            {fault.differences.length > 0 ? (
              <ul className={styles.differences}>
                {fault.differences.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            ) : null}
          </Notice>
        ) : null}
        <input type="hidden" name="number" value={last.number} />
        <FileField name="file" label="The signed file" />
        <TextArea
          name="text"
          label="Or its text"
          description={textWords[batch.chain]}
          rows={3}
          defaultValue={fault?.text ?? ""}
          spellCheck={false}
        />
        <div>
          <SubmitButton name="intent" value="upload" pendingText="Comparing…">
            Compare and keep
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

function Rebuild({
  batch,
  last,
  answer,
  suggestion,
}: FormProps & { suggestion: FeeSuggestion | null }) {
  const may = useMay();
  const fault = faultOf(answer, "rebuild");
  if (!may("withdrawals/rebuild-batch")) return null;
  const paid = batch.withdrawals.filter(({ id }) => last.pays.includes(id));
  return (
    <Folded
      title={last.orderedAt ? "Raise the fee, or leave a payment out" : "Build it again"}
      look="card"
      open={fault !== null}
    >
      <PlainForm
        intent="rebuild"
        fault={fault?.fault}
        hidden={{ chain: batch.chain, number: String(last.number) }}
        button="Build a new version"
        pendingText="Building…"
        tone="plain"
      >
        <p className={layout.note}>
          {batch.chain === "bitcoin"
            ? "The new version spends the same first coin, so the chain takes one of them at most; coins that were spent elsewhere are left out. A customer who is left out has the coins back once a version without that payment is confirmed. With every payment left out, the version pays the wallet itself."
            : "The new version takes the same nonces, so the chain takes one transaction of each at most. Customers left out get their coins back once a transaction that pays nobody takes the nonce. Payments that are in a block already stay as they are."}
        </p>
        <FeeFields last={last} fault={fault} suggestion={suggestion} />
        <fieldset hidden={paid.length === 0}>
          <legend>Leave out</legend>
          {paid.map(({ id, customerName, asset, units, feeUnits }) => (
            <CheckField
              key={id}
              name="leaveOut"
              value={id}
              label={
                <>
                  {customerName}, <Amount units={units - feeUnits} asset={asset} plain />
                </>
              }
            />
          ))}
        </fieldset>
        <TextField
          name="reason"
          label="Why"
          required
          maxLength={withdrawalTerms.reasonMax}
          defaultValue={fault?.reason ?? ""}
        />
      </PlainForm>
    </Folded>
  );
}

interface FeeFieldsProps {
  last: Version;
  fault: BatchAnswer | null;
  suggestion: FeeSuggestion | null;
}

function FeeFields({ last, fault, suggestion }: FeeFieldsProps) {
  const { feePerKvb, maxFeePerGas, maxPriorityFeePerGas } = last;
  if (feePerKvb === null) {
    const higher = (fee: bigint | null) => inGwei(((fee ?? 0n) * 5n) / 4n + 1n);
    const maxFee = fault?.maxFee ?? higher(maxFeePerGas);
    return <GasPriceFields maxFee={maxFee} tip={fault?.tip ?? higher(maxPriorityFeePerGas)} />;
  }
  // A satoshi more than nodes ask for, which the rounding of two fees can cost.
  const more = (suggestion?.incrementPerKvb ?? 1000) + 10;
  const higher = Math.max(feePerKvb + more, suggestion?.feePerKvb ?? 0);
  const defaultValue = fault?.feeRate ?? writeFeeRate(higher);
  return (
    <FeeRateField
      defaultValue={defaultValue}
      suggestion={suggestion}
      replaces={last.orderedAt !== null}
    />
  );
}

function PaymentState({
  payment: { id, outcome, fault, minedHeight, networkFeeUnits },
  isPaid,
}: {
  payment: BatchCase["withdrawals"][number];
  isPaid: boolean;
}) {
  if (fault && !outcome) {
    return (
      <div className={list.second}>
        {fault} <Link to={`/operator/withdrawals/${id}`}>Say how it ends</Link>
      </div>
    );
  }
  if (outcome) {
    return (
      <div className={list.second}>
        {outcomeWords[outcome]}
        {networkFeeUnits ? (
          <div>
            fee <Amount units={networkFeeUnits} asset="ETH" plain />
          </div>
        ) : null}
      </div>
    );
  }
  if (minedHeight !== null) return <div className={list.second}>{`in block ${minedHeight}`}</div>;
  return isPaid ? null : <div className={list.second}>left out</div>;
}

function Payments({ batch, last }: { batch: BatchCase; last: Version }) {
  const isOne = batch.chain === "bitcoin";
  return (
    <Panel title="Payments" flush>
      <ConsoleTable
        label="Payments of the batch"
        bare
        rows={batch.withdrawals}
        columns={[
          isOne ? null : { head: "Nonce", value: "nonce" },
          {
            head: "Customer",
            cell: (each) => (
              <Link to={`/operator/withdrawals/${each.id}`}>{each.customerName}</Link>
            ),
          },
          {
            head: "Arrives",
            kind: "number",
            cell: (each) => <Amount units={each.units - each.feeUnits} asset={each.asset} />,
          },
          {
            head: "Address",
            cell: (each) => (
              <code className={`${layout.fine} ${styles.whole}`}>{each.address}</code>
            ),
          },
          {
            head: "State",
            cell: (each) => (
              <>
                {withdrawalStateWords[each.state]}
                <PaymentState payment={each} isPaid={last.pays.includes(each.id)} />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function eventsOf(batch: BatchCase): TimelineEvent[] {
  const built = batch.versions.toReversed().flatMap(eventsOfVersion);
  return [...built, ...onChain(batch), end(batch), ...afterwards(batch)];
}

function eventsOfVersion(version: Version): TimelineEvent[] {
  const { number, madeAt, makerName, signedAt, signerName, orderedAt, ordererName } = version;
  const name = number === 1 ? "" : `, version ${number}`;
  const steps: Array<TimelineEvent & { at: Date | null }> = [
    { title: `Built${name}`, at: madeAt, body: `By ${makerName}.` },
    { title: `Signed${name}`, at: signedAt, body: `Brought back by ${signerName}.` },
    { title: `Broadcast ordered${name}`, at: orderedAt, body: `By ${ordererName}.` },
    { title: `Sent${name}`, at: version.sentAt, tone: "good" },
  ];
  return steps.filter(({ at }) => at !== null);
}

function onChain({ minedHeight, minedVersionId, versions }: BatchCase): TimelineEvent[] {
  if (minedHeight === null) return [];
  const mine = versions.find(({ id }) => id === minedVersionId);
  const body = mine ? `Version ${mine.number}.` : "Another transaction has spent its coin.";
  return [{ title: `In block ${minedHeight}`, tone: mine ? "good" : "bad", body }];
}

function end(batch: BatchCase): TimelineEvent {
  const { chain, endedAt } = batch;
  if (endedAt) {
    const { status, tone } = stateOfBatch(shown(batch));
    return { title: status, at: endedAt, tone };
  }
  const title =
    chain === "bitcoin"
      ? `Final after ${withdrawalTerms.confirmations} blocks`
      : "Final when Ethereum calls their blocks so";
  return { title, tone: "waiting" };
}

function afterwards({ leftItsBlockAt }: BatchCase): TimelineEvent[] {
  if (leftItsBlockAt === null) return [];
  const body =
    "What was paid in it is sent again each minute, as it was signed, for 14 days. Look whether a block holds it again.";
  return [{ title: "A block of it left the chain", at: leftItsBlockAt, tone: "bad", body }];
}
