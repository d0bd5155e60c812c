import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useState } from "react";
import { Form, useLocation } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { field } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatUsd } from "#core/money.ts";
import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import type { PriceMessage } from "#core/price.ts";
import { approvalSchema } from "./approval-schema.ts";
import styles from "./deposit.module.css";
import { SuggestedUsd } from "./suggested-usd.tsx";

interface ApproveFormProps {
  method: DepositMethod;
  claimedUsdCents: bigint;
  /** The last stored price of the coin, and the server's clock when it answered. */
  price: PriceMessage | null;
  now: Date;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** The first step of an approval: what arrived. The next one shows what the journal will post. */
export function ApproveForm({ method, claimedUsdCents, price, now, lastResult }: ApproveFormProps) {
  const coin = coinOfMethod[method];
  const schema = approvalSchema(method);
  const { pathname } = useLocation();
  const [form, fields] = useForm({
    id: "approve",
    lastResult,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema }),
  });
  const [quantity, setQuantity] = useState(fields.quantity.initialValue ?? "");
  return (
    <Panel title="Approve">
      <Form
        method="post"
        action={pathname}
        preventScrollReset
        className={styles.form}
        {...getFormProps(form)}
      >
        <FormAlert errors={form.errors} id={form.errorId} />
        <div className={styles.pair}>
          <TextField
            label="Quantity received"
            description="What arrived at your address"
            unit={coin}
            inputMode="decimal"
            autoComplete="off"
            data-key="a"
            onChange={(event) => setQuantity(event.currentTarget.value)}
            {...field(fields.quantity)}
          />
          <TextField
            label="USD amount"
            description="Only if it differs from the claim"
            placeholder={formatUsd(claimedUsdCents)}
            inputMode="decimal"
            autoComplete="off"
            {...field(fields.usd)}
          />
        </div>
        <SuggestedUsd
          coin={coin}
          price={price}
          now={now}
          quantity={quantity}
          onUse={(usd) => typeInto(fields.usd.id, usd)}
        />
        <div className={styles.payment}>
          <TextField
            label="Transaction id"
            description={
              method === "Bitcoin" ? "64 hexadecimal digits" : "0x and 64 hexadecimal digits"
            }
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            code
            {...field(fields.txid)}
          />
          <TextField
            label="Output"
            description="If it paid several"
            inputMode="numeric"
            autoComplete="off"
            {...field(fields.outputIndex)}
          />
        </div>
        <div>
          <SubmitButton name="intent" value="preview" pendingText="Checking…">
            Approve
          </SubmitButton>
          <span className={styles.aside}>You will see what is posted before anything is.</span>
        </div>
      </Form>
    </Panel>
  );
}

/** As if it had been typed: the form's own checks hear of it. */
function typeInto(fieldId: string, text: string): void {
  const input = document.getElementById(fieldId);
  if (!(input instanceof HTMLInputElement)) return;
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
