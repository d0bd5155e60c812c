import { Form } from "react-router";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { utcDay } from "#core/utc-day.ts";
import type { Readiness } from "#server/withdrawals/batches/get-readiness.ts";
import type { CoinWaits } from "#server/withdrawals/bitcoin/list-spendable.ts";
import { counted } from "../parts/counted.ts";
import { useMay } from "../parts/use-may.ts";
import { stoppedWords } from "./batch-words.ts";
import type { BatchesAnswer, BatchesData } from "./batches-data.ts";
import { FeeRateField } from "./fee-rate-field.tsx";
import styles from "./withdrawals.module.css";

/** More are not listed on the page. */
const shownCoins = 500;

/** What is due in bitcoin, what the wallet can spend, and the form that makes a batch of it. */
export function BitcoinToday({ data, answer }: { data: BatchesData; answer: BatchesAnswer }) {
  const { payments, scan, coins } = data.readiness;
  const may = useMay();
  const canForm = data.hasNode && payments > 0 && scan?.askedAt && may("withdrawals/form-batch");
  return (
    <div className={layout.stack}>
      <ReadinessFacts data={data} />
      {scan?.fault ? (
        <Notice tone="error" title="The last look for coins failed">
          {scan.fault}
        </Notice>
      ) : null}
      {data.hasNode && may("withdrawals/look-for-coins") ? (
        <LookForm runs={scan?.runs === true} answer={answer} />
      ) : null}
      {canForm ? (
        <FormForm key={data.lastFormed.bitcoin} data={data} answer={answer} coins={coins} />
      ) : null}
      {data.hasNode && scan?.askedAt && coins.length > 1 && may("withdrawals/consolidate") ? (
        <ConsolidateForm key={data.lastFormed.bitcoin} data={data} answer={answer} coins={coins} />
      ) : null}
    </div>
  );
}

function ReadinessFacts({ data: { readiness, now, twoPeople } }: { data: BatchesData }) {
  const { payments, totals, stopped, later } = readiness;
  return (
    <Facts
      facts={[
        { label: "Due", value: `${payments} ${payments === 1 ? "payment" : "payments"}` },
        payments > 0 && {
          label: "Together",
          value: <Amount units={totals.BTC ?? 0n} asset="BTC" />,
        },
        stopped > 0 && {
          label: "Due, but not now",
          value: `${stopped}: ${stoppedWords}`,
        },
        { label: "On later days", value: later },
        { label: "The wallet can spend", value: <Spendable readiness={readiness} now={now} /> },
        readiness.waiting.length > 0 && {
          label: "Not to be spent yet",
          value: <Waiting coins={readiness.waiting} />,
        },
        {
          label: "Two people",
          value: (
            <>
              above <Amount units={twoPeople.BTC.twoPeopleAboveUnits} asset="BTC" />
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

const waitWords: Record<CoinWaits, string> = {
  young: "not deep enough",
  "not-credited": "of deposits that are not credited",
  frozen: "of a frozen account",
};

function Waiting({ coins }: { coins: Readiness["waiting"] }) {
  const has = coins.reduce((sum, coin) => sum + coin.units, 0n);
  const kinds = (Object.keys(waitWords) as CoinWaits[]).map((kind) => {
    return { kind, count: coins.filter(({ waits }) => waits === kind).length };
  });
  const words = kinds.filter((each) => each.count > 0);
  return (
    <>
      <Amount units={has} asset="BTC" />:{" "}
      {words.map(({ kind, count }) => `${counted(count, "coin")} ${waitWords[kind]}`).join(", ")}
    </>
  );
}

function LookForm({ runs, answer }: { runs: boolean; answer: BatchesAnswer }) {
  return (
    <Form method="post" preventScrollReset className={layout.form}>
      <FormAlert errors={answer?.intent === "look-for-coins" ? [answer.fault] : null} />
      <div>
        <SubmitButton name="intent" value="look-for-coins" look="quiet" disabled={runs}>
          {runs ? "The node is looking…" : "Look for coins"}
        </SubmitButton>
      </div>
    </Form>
  );
}

interface FormFormProps {
  data: BatchesData;
  answer: BatchesAnswer;
  coins: Readiness["coins"];
}

function FormForm({ data, answer, coins }: FormFormProps) {
  const mine = answer?.intent === "form-batch" && answer.chain === "bitcoin" ? answer : null;
  return (
    <Form method="post" preventScrollReset className={layout.form}>
      <FormAlert errors={mine ? [mine.fault] : null} />
      <input type="hidden" name="chain" value="bitcoin" />
      <FormKey fresh={data.submissionKey} />
      <FeeRateField defaultValue={mine?.feeRate} suggestion={data.suggestion} />
      <CoinChoice coins={coins} otherwise="as many as it takes, the largest first" />
      <div>
        <SubmitButton name="intent" value="form-batch" pendingText="Building…">
          {`Form the batch of ${utcDay(data.now)}`}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Makes one coin of many: the wallet pays itself. */
function ConsolidateForm({ data, answer, coins }: FormFormProps) {
  const mine = answer?.intent === "consolidate" ? answer : null;
  return (
    <details open={mine !== null}>
      <summary>Consolidate small coins</summary>
      <Form method="post" preventScrollReset className={layout.form}>
        <FormAlert errors={mine ? [mine.fault] : null} />
        <p className={layout.note}>
          The wallet pays itself, so that many small coins become one. It is signed as a batch is,
          and always takes two people: the person who builds it does not order the broadcast. The
          network fee is booked as our expense.
        </p>
        <input type="hidden" name="chain" value="bitcoin" />
        <FormKey fresh={data.consolidationKey} />
        <FeeRateField defaultValue={mine?.feeRate} suggestion={data.suggestion} />
        <CoinChoice
          coins={coins.toReversed()}
          otherwise="the smallest that are worth more than they cost"
        />
        <div>
          <SubmitButton name="intent" value="consolidate" look="quiet" pendingText="Building…">
            Consolidate
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
}

function CoinChoice({ coins, otherwise }: { coins: Readiness["coins"]; otherwise: string }) {
  return (
    <details>
      <summary>{`Choose coins (otherwise ${otherwise})`}</summary>
      {coins.length > shownCoins ? (
        <p className={layout.note}>{`The first ${shownCoins} of ${coins.length}.`}</p>
      ) : null}
      <div className={styles.coins}>
        {coins.slice(0, shownCoins).map(({ txid, vout, units, branch, index }) => (
          <div key={`${txid}:${vout}`} className={styles.coin}>
            <CheckField
              name="coin"
              value={`${txid}:${vout}`}
              label={<Amount units={units} asset="BTC" plain />}
            />
            <code className={layout.fine}>{`${txid.slice(0, 16)}…:${vout}`}</code>
            <span className={layout.note}>{`${branch === 1 ? "change" : "deposit"} ${index}`}</span>
          </div>
        ))}
      </div>
    </details>
  );
}
