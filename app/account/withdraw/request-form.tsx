import { Form } from "react-router";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type FormFields, useForm } from "#app/ui/forms/use-form.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { parseAmount } from "#core/money.ts";
import { amountFault, type CoinTerms, coinWords, dueDay } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import type { WithdrawAnswer } from "./submit.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

interface RequestFormProps {
  data: WithdrawData;
  terms: CoinTerms;
  answer: WithdrawAnswer | undefined;
  /** Otherwise it is shown, and cannot be filled in. */
  isOpen: boolean;
}

/** How much goes where, with what arrives and when, while one types. */
export function RequestForm({ data, terms, answer, isOpen }: RequestFormProps) {
  const { addresses, coin, isFinal, balances } = data;
  const mine = answer?.intent === "request" ? answer : null;
  const form = useForm({
    id: "withdraw",
    lastResult: mine?.result ?? null,
    defaultValue: { addressId: addresses[0]?.addressId ?? "", amount: "" },
    rules: async () => (await import("./withdraw-schema.ts")).requestSchema,
  });
  const { all, amount = "", addressId = "" } = form.typed;
  const takesAll = all !== undefined || isFinal;
  const units = takesAll ? balances[coin].available : parseAmount(amount, coin);
  return (
    <Form method="post" preventScrollReset {...form.props}>
      <fieldset disabled={!isOpen} className={styles.fields}>
        <FormAlert errors={form.errors} />
        {isFinal ? <FinalWords coin={coin} /> : null}
        <input type="hidden" name="coin" value={coin} />
        <FormKey name="requestKey" fresh={data.requestKey} renewed={mine?.requestKey} />
        {isFinal ? <input type="hidden" name="final" value="yes" /> : null}
        <SelectField
          label="To"
          choices={addressChoices(addresses, addressId)}
          {...form.field("addressId")}
        />
        {isFinal ? null : <AmountFields coin={coin} form={form} />}
        <Outlook
          data={data}
          terms={terms}
          units={units}
          to={addressId === "" ? addresses[0]?.addressId : addressId}
        />
        <div>
          <SubmitButton name="intent" value="request" pendingText="Requesting…">
            {isFinal ? "Request final payment" : "Request withdrawal"}
          </SubmitButton>
        </div>
        <p className={styles.note}>
          We then e-mail you a link to confirm address and amount. Nothing is sent before you
          confirm, and you can cancel until it is in a batch.
        </p>
      </fieldset>
    </Form>
  );
}

/** In place of one that was chosen and is no longer in the book none is: what was typed was meant for it. */
function addressChoices(addresses: WithdrawData["addresses"], chosen: string) {
  if (addresses.length === 0) return [{ value: "", label: "No address yet" }];
  const choices = addresses.map(({ addressId, label, address }) => ({
    value: addressId,
    label: `${label}: ${address.slice(0, 10)}…${address.slice(-8)}`,
  }));
  const isHere = chosen === "" || addresses.some(({ addressId }) => addressId === chosen);
  return isHere ? choices : [{ value: "", label: "Choose an address" }, ...choices];
}

interface AmountFieldsProps {
  coin: WithdrawData["coin"];
  form: FormFields<"amount" | "all">;
}

/** So much, or all of it. */
function AmountFields({ coin, form }: AmountFieldsProps) {
  return (
    <>
      <TextField
        label={`Amount in ${coin}`}
        placeholder={coin === "USDT" ? "0.00" : "0.00000000"}
        inputMode="decimal"
        autoComplete="off"
        {...form.field("amount")}
        disabled={form.typed.all !== undefined}
      />
      <CheckField label="Everything available" {...form.check("all")} />
    </>
  );
}

function FinalWords({ coin }: { coin: WithdrawData["coin"] }) {
  return (
    <Notice title="The final payment">
      {`All ${coinWords[coin]} that is left, without a fee and below the minimum too, because you are closing the account.`}
    </Notice>
  );
}

/** What an amount comes to. Before one is typed the places are held, so that nothing moves. */
function Outlook({
  data,
  terms,
  units,
  to,
}: {
  data: WithdrawData;
  terms: CoinTerms;
  units: bigint | null;
  to: string | undefined;
}) {
  const { addresses, balances, coin, isFinal, now } = data;
  const { available } = balances[coin];
  const feeUnits = isFinal ? 0n : terms.feeUnits;
  const facts = { ...terms, available, feeUnits, isFinal };
  const isFine = units !== null && amountFault(coin, units, facts) === null;
  const address = addresses.find(({ addressId }) => addressId === to);
  const cools = address && address.usableFrom > now;
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          { label: "Available", value: <Amount units={available} asset={coin} /> },
          { label: "Our fee, deducted", value: <Amount units={feeUnits} asset={coin} /> },
          {
            label: "Arrives",
            value: isFine ? <Amount units={units - feeUnits} asset={coin} /> : "–",
          },
          {
            label: "Leaves on",
            value: address ? (
              <>
                {formatDay(dueDay(now, address.usableFrom))} (UTC day)
                {cools ? <span className={layout.quiet}>, as the address is new</span> : null}
              </>
            ) : (
              "–"
            ),
          },
        ]}
      />
    </div>
  );
}
