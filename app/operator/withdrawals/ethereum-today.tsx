import { Form, Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { TotalAmounts } from "#app/ui/figures/total-amounts.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { utcDay } from "#core/utc-day.ts";
import { useMay } from "../parts/use-may.ts";
import { stoppedWords } from "./batch-words.ts";
import type { BatchesAnswer, BatchesData } from "./batches-data.ts";
import { GasPriceFields, inGwei } from "./gas-price.tsx";

interface TodayProps {
  data: BatchesData;
  answer: BatchesAnswer;
}

/** What is due in ether and USDT, what the address that pays holds, and the form that makes a batch of it. */
export function EthereumToday({ data, answer }: TodayProps) {
  const { due, open, view } = data.ethereum;
  const may = useMay();
  return (
    <div className={layout.stack}>
      <DueFacts data={data} />
      {view === null ? (
        <Notice tone="warning" title="The Ethereum node did not answer">
          What the address holds and what the network asks for is not known at this moment.
        </Notice>
      ) : null}
      {open ? (
        <p className={layout.note}>
          The{" "}
          <Link to={`/operator/withdrawals/batches/${open.id}`}>
            batch of <Day day={open.day} />
          </Link>{" "}
          goes on. The next one is formed when it has ended: a later nonce waits for an earlier one.
        </p>
      ) : null}
      {due.payments > 0 && !open && may("withdrawals/form-batch") ? (
        <FormForm key={data.lastFormed.ethereum} data={data} answer={answer} />
      ) : null}
    </div>
  );
}

function DueFacts({ data: { ethereum, twoPeople } }: { data: BatchesData }) {
  const { due, hotWalletAddress, view, tokenPaymentCents, usdtFeeUnits } = ethereum;
  const { payments, failing, totals, stopped, later } = due;
  return (
    <Facts
      facts={[
        { label: "Due", value: `${payments} ${payments === 1 ? "payment" : "payments"}` },
        payments > 0 && { label: "Together", value: <TotalAmounts totals={totals} /> },
        failing > 0 && {
          label: "Would fail",
          value: (
            <>
              <Link to="/operator/withdrawals?state=approved">{failing} of them</Link>, as the node
              said when a batch was formed last. It is asked about these last.
            </>
          ),
        },
        stopped > 0 && {
          label: "Due, but not now",
          value: `${stopped}: ${stoppedWords}; or to an address that refused ether`,
        },
        { label: "On later days", value: later },
        { label: "Paid from", value: <CopyField text={hotWalletAddress} label="address" /> },
        view && { label: "It holds", value: <TotalAmounts totals={view.holds} /> },
        view && { label: "The network asks", value: `${inGwei(view.baseFeePerGas)} gwei per gas` },
        view && {
          label: "A payment of USDT costs us",
          value: (
            <>
              up to <Amount units={view.tokenPaymentWei} asset="ETH" />
              {tokenPaymentCents !== null ? (
                <>
                  , <Usd cents={tokenPaymentCents} />
                </>
              ) : null}{" "}
              for a fee of <Amount units={usdtFeeUnits} asset="USDT" />
            </>
          ),
        },
        {
          label: "Two people",
          value: (
            <>
              above <Amount units={twoPeople.ETH.twoPeopleAboveUnits} asset="ETH" /> or{" "}
              <Amount units={twoPeople.USDT.twoPeopleAboveUnits} asset="USDT" />
            </>
          ),
        },
      ]}
    />
  );
}

function FormForm({ data, answer }: TodayProps) {
  const mine = answer?.intent === "form-batch" && answer.chain === "ethereum" ? answer : null;
  const suggested = data.ethereum.view?.suggested;
  return (
    <Form method="post" preventScrollReset className={layout.form}>
      <FormAlert errors={mine ? [mine.fault] : null} />
      <input type="hidden" name="chain" value="ethereum" />
      <FormKey fresh={data.ethereum.submissionKey} />
      <GasPriceFields
        maxFee={mine?.maxFee ?? (suggested ? inGwei(suggested.maxFeePerGas) : "")}
        tip={mine?.tip ?? (suggested ? inGwei(suggested.maxPriorityFeePerGas) : "")}
      />
      <div>
        <SubmitButton name="intent" value="form-batch" pendingText="Building…">
          {`Form the Ethereum batch of ${utcDay(data.now)}`}
        </SubmitButton>
      </div>
    </Form>
  );
}
