import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate, writeThs } from "#core/mining/hashrate.ts";
import { listCustomersPaidBy } from "#server/deposits/payments/list-customers-paid-by.ts";
import { confirmPayout } from "#server/payouts/confirm-payout.ts";
import { correctPayout } from "#server/payouts/correct-payout.ts";
import { findLack } from "#server/payouts/find-lack.ts";
import { findPayout } from "#server/payouts/find-payout.ts";
import { fitsHashrate } from "#server/payouts/get-payout-limit.ts";
import { refusePayout } from "#server/payouts/refuse-payout.ts";
import type { Payout } from "#server/payouts/select-payouts.ts";
import { vouchForPayout } from "#server/payouts/vouch-for-payout.ts";
import { ActForm, type FormAnswer, Pair } from "../parts/act-form.tsx";
import { answerAct, nothingToFill } from "../parts/answer-act.ts";
import { CasePage } from "../parts/case-page.tsx";
import { Folded } from "../parts/folded.tsx";
import { FourEyes, type FourEyesAnswer } from "../parts/four-eyes.tsx";
import { PaidCustomers } from "../parts/paid-customers.tsx";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/case";
import { hashrateWords } from "./hashrate-words.ts";
import { confirmSchema, correctionSchema, refusalSchema } from "./payout-schema.ts";
import { PayoutState, PayoutTable } from "./payout-table.tsx";

export const middleware = guard("payouts/read", {
  vouch: "payouts/vouch",
  confirm: "payouts/confirm",
  refuse: "payouts/refuse",
  correct: "payouts/correct",
});
export const shouldRevalidate = readAfterConflict;
export const handle = {
  keys: [
    { key: "a", does: "confirm", needs: "payouts/confirm" },
    { key: "r", does: "refuse", needs: "payouts/refuse" },
    { key: "q", does: "list" },
  ],
};
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [
    { title: `Payout for ${loaderData?.payout.day ?? ""} · ${matches[0].loaderData.siteName}` },
  ];
}

const noneAsked = { lack: null, covers: null };

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, operator } = consoleOf(context);
  const known = found(isUuid(params.payoutId) ? await findPayout(db, params.payoutId) : null);
  const { txid, proposerId } = known.payout;
  const paidCustomers = txid ? await listCustomersPaidBy(db, txid) : [];
  const fits = await fitsHashrate(db, known.payout);
  const isWaiting = known.payout.state === "proposed";
  const { lack, covers } = isWaiting ? await findLack(db, known.payout) : noneAsked;
  return {
    ...known,
    paidCustomers,
    fits,
    lack,
    isUnseen: covers === false,
    isOwn: proposerId === operator.id,
    correctionId: randomUUID(),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { payoutId } = params;
  const known = found(isUuid(payoutId) ? await findPayout(db, payoutId) : null);
  const form = await request.formData();
  const to = `/operator/payouts/${payoutId}`;
  switch (form.get("intent")) {
    case "vouch":
      return answerAct(form, nothingToFill, async () => {
        await vouchForPayout(db, operator, payoutId, now());
        return { to, say: "payout-waits" };
      });
    case "confirm":
      return answerAct(form, confirmSchema, async ({ unseenReason }) => {
        await confirmPayout(db, operator, payoutId, now(), unseenReason);
        return { to, say: "payout-recorded" };
      });
    case "refuse":
      return answerAct(form, refusalSchema, async ({ reason }) => {
        await refusePayout(db, operator, { payoutId, reason }, now());
        return { to, say: "payout-refused" };
      });
    default:
      return answerAct(form, correctionSchema, async (typed) => {
        const { amount, delivered, txid = null, reason } = typed;
        const correction = {
          payoutId: typed.payoutId,
          corrects: payoutId,
          units: amount,
          reason,
          deliveredGhs: delivered,
          txid,
          statementId: known.payout.statementId,
        };
        await correctPayout(db, operator, correction, now());
        return { to: `/operator/payouts/${typed.payoutId}`, say: "payout-waits" };
      });
  }
}

export default function PayoutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { payout, others, ofTransaction, paidCustomers, correctionId, ...waiting } = loaderData;
  return (
    <CasePage
      title={
        <>
          {payout.poolName}, <Day day={payout.day} />
        </>
      }
      queue="/operator/payouts"
    >
      <div className={layout.main} key={payout.id}>
        <div className={layout.stack}>
          <Panel title={payout.corrects ? "A correction" : "Payout"}>
            <PayoutFacts payout={payout} />
          </Panel>
          {others.length > 0 ? (
            <Panel title="Others of this pool for this day" flush>
              <PayoutTable
                payouts={others}
                label="Others of this pool for this day"
                bare
                without="pool"
              />
            </Panel>
          ) : null}
          {ofTransaction.length > 0 ? (
            <Panel title="Other days of this transaction" flush>
              <PayoutTable
                payouts={ofTransaction}
                label="Other days of this transaction"
                bare
                without="evidence"
              />
            </Panel>
          ) : null}
        </div>
        <div className={layout.stack}>
          <PaidCustomers paid={paidCustomers} units={payout.units} />
          {payout.state === "proposed" ? (
            <Waiting {...waiting} payout={payout} others={ofTransaction} answer={actionData} />
          ) : null}
          {payout.state === "recorded" && !payout.correctedBy ? (
            <Correct payout={payout} correctionId={correctionId} answer={actionData} />
          ) : null}
        </div>
      </div>
    </CasePage>
  );
}

function PayoutFacts({ payout }: { payout: Payout }) {
  return (
    <Facts
      facts={[
        { label: "State", value: <PayoutState payout={payout} /> },
        { label: "UTC day", value: payout.day },
        { label: "Paid", value: <Amount units={payout.units} asset="BTC" /> },
        { label: "Delivered", value: formatHashrate(payout.deliveredGhs) },
        { label: "Transaction", code: payout.txid },
        payout.statementId !== null && {
          label: "Statement",
          value: (
            <Link to={`/operator/payouts/statements/${payout.statementId}`}>
              {payout.statementName}
            </Link>
          ),
        },
        { label: "Its SHA-256", code: payout.statementSha256 },
        { label: "Why", value: payout.correctionReason },
        { label: "Coins", value: coinWords(payout) },
        { label: "Not seen because", value: payout.unseenReason },
        { label: "Proposed", value: payout.proposedAt },
        {
          label: "First person",
          value:
            payout.proposedBy ?? (payout.proposalActionId ? "the server" : "Read from the pool"),
        },
        { label: "Decided", value: payout.decidedAt },
        { label: "By", value: payout.decidedBy },
        { label: "Refused because", value: payout.refusalReason },
      ]}
    />
  );
}

interface DecisionProps {
  payout: Payout;
  answer: FormAnswer | undefined;
}

function coinWords({ state, covered, unseenReason }: Payout): string | null {
  if (state !== "recorded") return null;
  if (covered) return "Covered by coins that your node saw when it was recorded";
  return unseenReason ? "Not seen by your node" : "None were asked for when it was recorded";
}

interface WaitingProps extends DecisionProps {
  others: Payout[];
  fits: boolean;
  /** What the pool's coins lack for it; null: none are asked for. */
  lack: bigint | null;
  /** Whether they do not cover it: it lacks some, or the chain's source cannot be used. */
  isUnseen: boolean;
  isOwn: boolean;
}

function Waiting({ payout, others, fits, lack, isUnseen, isOwn, answer }: WaitingProps) {
  const hasFirst = payout.proposalActionId !== null;
  const standing = others.filter(({ state, correctedBy }) => state !== "refused" && !correctedBy);
  return (
    <Panel title="Waits for a person">
      <div className={layout.stack}>
        {hasFirst ? null : (
          <Notice>
            {lack !== null
              ? "Read from the pool. Its coins record it; without them it needs two people."
              : "Read from the pool, and needs two people: it is above the limit, its transaction stands for something else, too, or its hashrate does not fit its amount."}
          </Notice>
        )}
        {fits ? null : (
          <Notice tone="warning">A second person is needed because {hashrateWords}.</Notice>
        )}
        <CoinNotice payout={payout} fits={fits} lack={lack} isUnseen={isUnseen} />
        {standing.length > 0 && lack === null ? (
          <Notice tone="warning" title="Other days name this transaction, too">
            Together with them it must have paid at least{" "}
            <Amount
              units={standing.reduce((sum, { units }) => sum + units, payout.units)}
              asset="BTC"
            />
            . Look it up in your own node or wallet before you confirm: the same coins must not
            count twice.
          </Notice>
        ) : null}
        {hasFirst ? (
          <Second isOwn={isOwn} isUnseen={isUnseen} answer={answer} />
        ) : (
          <First answer={answer} />
        )}
      </div>
    </Panel>
  );
}

/** What it waits for, where coins are asked for. */
function CoinNotice({
  payout,
  fits,
  lack,
  isUnseen,
}: Pick<WaitingProps, "payout" | "fits" | "lack" | "isUnseen">) {
  if (lack === null) return null;
  if (lack > 0n) {
    return (
      <Notice tone="warning" title="Waits for coins">
        <Amount units={lack} asset="BTC" /> more have to arrive at{" "}
        <Link to={`/operator/payouts/pools/${payout.poolId}`}>the pool's address</Link>. Then it is
        recorded within minutes{fits && !payout.corrects ? "" : ", once a person confirmed it"}.
      </Notice>
    );
  }
  if (!isUnseen) return null;
  return (
    <Notice tone="warning" title="The chain cannot be read now">
      The coins were there when it was read last. Once your node follows the chain again, they
      count.
    </Notice>
  );
}

type AnswerProps = Pick<DecisionProps, "answer">;

/** The first of two people stands for what the worker read, or refuses it. */
function First({ answer }: AnswerProps) {
  const may = useMay();
  return (
    <>
      {may("payouts/vouch") ? (
        <ActForm
          intent="vouch"
          answer={answer}
          button="Stand for it as the first"
          pendingText="Saving…"
        />
      ) : null}
      {may("payouts/refuse") ? (
        <Folded title="Refuse payout" open={answer?.form === "refuse"}>
          <ActForm
            intent="refuse"
            rules={async () => (await import("./payout-schema.ts")).refusalSchema}
            answer={answer}
            button="Refuse payout"
            pendingText="Refusing…"
            tone="danger"
          >
            {(form) => <TextArea label="Reason" rows={3} {...form.field("reason")} />}
          </ActForm>
        </Folded>
      ) : null}
    </>
  );
}

function Second({ isOwn, isUnseen, answer }: AnswerProps & { isOwn: boolean; isUnseen: boolean }) {
  return (
    <FourEyes
      isOwn={isOwn}
      confirm={{
        needs: "payouts/confirm",
        intent: "confirm",
        button: isUnseen ? "Record it without its coins" : "Confirm and record payout",
        pendingText: "Recording…",
      }}
      decline={{
        needs: "payouts/refuse",
        intent: "refuse",
        button: "Refuse payout",
        reason: { label: "Reason", description: "Colleagues read it" },
      }}
      answer={answer && refusedOf(answer)}
    >
      {isUnseen ? (
        <TextArea
          name="unseenReason"
          label="Why your node does not see the coins"
          description="Anyone reads it on the page Daily proof and on receipts, with both names"
          rows={3}
          maxLength={300}
          defaultValue={String(answer?.result.initialValue?.["unseenReason"] ?? "")}
        />
      ) : null}
    </FourEyes>
  );
}

function refusedOf({ form, result }: FormAnswer): FourEyesAnswer | null {
  const [fault] = Object.values(result.error ?? {}).flat();
  if (fault === undefined || fault === null) return null;
  return { intent: form, reason: String(result.initialValue?.reason ?? ""), fault };
}

function Correct({ payout, correctionId, answer }: DecisionProps & { correctionId: string }) {
  const may = useMay();
  if (!may("payouts/correct")) return null;
  return (
    <Panel title="It was another">
      <Folded title="Propose a correction" open={answer?.form === "correct"}>
        <ActForm
          intent="correct"
          rules={async () => (await import("./payout-schema.ts")).correctionSchema}
          answer={answer}
          defaults={{
            amount: writeDecimal(payout.units, 8),
            delivered: writeThs(payout.deliveredGhs),
            txid: payout.txid ?? "",
          }}
          button="Propose the correction"
          pendingText="Proposing…"
          tone="plain"
        >
          {(form) => (
            <>
              <FormKey name="payoutId" fresh={correctionId} />
              <Notice>
                A second person confirms it. Then this payout is taken back, and each customer who
                was credited with it gets or gives back the difference, visibly.
              </Notice>
              <Pair>
                <TextField label="Paid, BTC" inputMode="decimal" {...form.field("amount")} />
                <TextField
                  label="Delivered, TH/s"
                  inputMode="decimal"
                  {...form.field("delivered")}
                />
              </Pair>
              <TextField label="Transaction id" {...form.field("txid")} />
              <TextArea
                label="Reason"
                description="Customers read it on their receipts"
                rows={3}
                {...form.field("reason")}
              />
            </>
          )}
        </ActForm>
      </Folded>
    </Panel>
  );
}
