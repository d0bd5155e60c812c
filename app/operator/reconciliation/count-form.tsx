import { Form } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import { countWalletsMax } from "#core/payments/custody-count.ts";
import styles from "../adjustments/adjustments.module.css";
import { Evidence } from "../adjustments/proposal-form.tsx";
import type { CountAnswer } from "./receive-count.ts";

interface CountFormProps {
  submissionKey: string;
  coins: Coin[];
  /** What the node read, to begin with. */
  filled: { units: bigint; readAt: Date; blockHeight: number; wallets: string } | null;
  answer: CountAnswer | undefined;
}

function filledFields({
  units,
  readAt,
  blockHeight,
  wallets,
}: NonNullable<CountFormProps["filled"]>) {
  return {
    amount: toDecimal(units, "BTC"),
    asOf: readAt.toISOString().slice(0, 19),
    block: String(blockHeight),
    wallets: `Read by our Bitcoin node: ${wallets}`.slice(0, countWalletsMax),
  };
}

/** Enters what was read in all wallets of a coin. */
export function CountForm({ submissionKey, coins, filled, answer }: CountFormProps) {
  const form = useForm({
    id: "count",
    lastResult: answer?.result,
    defaultValue: { coin: "BTC", ...(filled && filledFields(filled)) },
    checksOnLeave: true,
    rules: async () => (await import("./count-schema.ts")).countSchema,
  });
  return (
    <Panel title="What is in the wallets">
      <Form
        method="post"
        encType="multipart/form-data"
        preventScrollReset
        className={layout.form}
        {...form.props}
      >
        <FormAlert errors={form.errors} />
        {filled ? (
          <Notice>
            Filled from what our node read. Add what other wallets hold, and look into the wallets
            yourself before you send it.
          </Notice>
        ) : null}
        <FormKey fresh={submissionKey} renewed={answer?.submissionKey} />
        <div className={styles.amount}>
          <SelectField label="Coin" choices={coins} {...form.field("coin")} />
          <TextField
            label="Amount in all wallets together"
            inputMode="decimal"
            autoComplete="off"
            {...form.field("amount")}
          />
        </div>
        <TextField
          label="Read at (UTC)"
          description="The moment that the figure is of. The ledger is asked about the same one"
          {...form.field("asOf")}
          type="datetime-local"
          step={1}
        />
        <TextField
          label="Block height"
          description="Optional"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("block")}
        />
        <TextArea
          label="Which wallets, and how you read them"
          rows={2}
          {...form.field("wallets")}
        />
        <Evidence
          evidence={answer?.evidence ?? null}
          error={answer?.result.error?.["evidence"]?.[0]}
          about="What the wallets or a block explorer showed. Staff alone can see it"
        />
        <div>
          <SubmitButton pendingText="Entering…">Enter for a colleague to confirm</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
