import { Form, useLocation } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatUsd } from "#core/money.ts";
import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import type { PriceMessage } from "#core/price.ts";
import styles from "./deposit.module.css";
import { SuggestedUsd } from "./suggested-usd.tsx";

interface ApproveFormProps {
  method: DepositMethod;
  claimedUsdCents: bigint;
  /** The last stored price of the coin, and the server's clock when it answered. */
  price: PriceMessage | null;
  now: Date;
  lastResult: FormReply | undefined;
}

/** The first step of an approval: what arrived. The next one shows what the ledger will post. */
export function ApproveForm({ method, claimedUsdCents, price, now, lastResult }: ApproveFormProps) {
  const coin = coinOfMethod[method];
  const { pathname } = useLocation();
  const form = useForm({
    id: "approve",
    lastResult,
    rules: async () => (await import("./approval-schema.ts")).approvalSchema(method),
  });
  return (
    <Panel title="Approve">
      <Form
        method="post"
        action={pathname}
        preventScrollReset
        className={styles.form}
        {...form.props}
      >
        <FormAlert errors={form.errors} />
        <div className={styles.pair}>
          <TextField
            label="Quantity received"
            description="What arrived at your address"
            unit={coin}
            inputMode="decimal"
            autoComplete="off"
            data-key="a"
            {...form.field("quantity")}
          />
          <TextField
            label="USD amount"
            description="Only if it differs from the claim"
            placeholder={formatUsd(claimedUsdCents)}
            inputMode="decimal"
            autoComplete="off"
            {...form.field("usd")}
          />
        </div>
        <SuggestedUsd
          coin={coin}
          price={price}
          now={now}
          quantity={form.typed.quantity ?? ""}
          onUse={(usd) => typeInto(form.field("usd").id, usd)}
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
            {...form.field("txid")}
          />
          <TextField
            label="Output"
            description="If it paid several"
            inputMode="numeric"
            autoComplete="off"
            {...form.field("outputIndex")}
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
