import { getFormProps, useForm } from "@conform-to/react";
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Form } from "react-router";
import { FormAlert, field, SubmitButton, select, textarea } from "#app/ui/form-fields.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import type { Coin } from "#core/asset.ts";
import styles from "../adjustments/adjustments.module.css";
import { Evidence } from "../adjustments/proposal-form.tsx";
import { countSchema } from "./count-schema.ts";
import type { CountAnswer } from "./receive-count.ts";

interface CountFormProps {
  submissionKey: string;
  coins: Coin[];
  answer: CountAnswer | undefined;
}

/** Enters what was read in all wallets of a coin. */
export function CountForm({ submissionKey, coins, answer }: CountFormProps) {
  const [form, fields] = useForm({
    id: "count",
    lastResult: answer?.result,
    defaultValue: { coin: "BTC" },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: countSchema }),
  });
  return (
    <Panel title="What lies in the wallets">
      <Form
        method="post"
        encType="multipart/form-data"
        preventScrollReset
        className={styles.form}
        {...getFormProps(form)}
      >
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="submissionKey" value={answer?.submissionKey ?? submissionKey} />
        <div className={styles.amount}>
          <NativeSelect label="Coin" data={coins} {...select(fields.coin)} withAsterisk={false} />
          <TextInput
            label="Amount in all wallets together"
            inputMode="decimal"
            autoComplete="off"
            {...field(fields.amount)}
            withAsterisk={false}
          />
        </div>
        <TextInput
          label="Read at (UTC)"
          description="The moment that the figure is of. The journal is asked about the same one"
          {...field(fields.asOf)}
          type="datetime-local"
          withAsterisk={false}
        />
        <TextInput
          label="Block height"
          description="Optional"
          inputMode="numeric"
          autoComplete="off"
          {...field(fields.block)}
        />
        <Textarea
          label="Which wallets, and how you read them"
          rows={2}
          {...textarea(fields.wallets)}
          withAsterisk={false}
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
