import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, useFetcher, useRevalidator } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { notifyError, notifySuccess } from "#app/ui/toasts/notify.ts";
import type { DepositMethod } from "#core/payments/deposit.ts";
import { type DepositAnswer, invalidText, savedText } from "./deposit-answer.ts";
import { SlipField } from "./slip-field.tsx";
import { type SlipUpload, signedOut, useSlipUpload } from "./use-slip-upload.ts";

interface DepositFormProps {
  submissionKey: string;
  /** Those that a slip is taken for. */
  methods: DepositMethod[];
  /** What the page's own action said, where the form was sent without JavaScript. */
  answer: DepositAnswer | undefined;
}

/** 'Submit payment slip'. Whatever goes wrong, what was typed and uploaded stays. */
export function DepositForm({ submissionKey, methods, answer }: DepositFormProps) {
  const before = answer && "reply" in answer ? answer : null;
  const upload = useSlipUpload(before?.slip ?? null);
  const { send, pending, latest } = useSubmission(upload);
  const shown = latest ?? answer;
  const lastResult = shown && "reply" in shown ? shown.reply : null;
  const form = useForm({
    id: "deposit-form",
    lastResult,
    checksOnLeave: true,
    rules: async () => (await import("./deposit-form-schema.ts")).depositFormSchema,
  });
  const [isRefused, setRefused] = useState(lastResult?.error !== undefined);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.props.onSubmit(event);
    setRefused(true);
    if (event.defaultPrevented) return notifyError(invalidText);
    event.preventDefault();
    void send(event.currentTarget);
  };
  return (
    <form method="post" encType="multipart/form-data" {...form.props} onSubmit={submit}>
      <FieldStack>
        <FormAlert errors={form.errors} />
        {isRefused && form.isWrong && !form.errors ? (
          <Notice tone="error">Nothing was saved. Please correct the fields below.</Notice>
        ) : null}
        <Interruption answer={shown} />
        <FormKey fresh={keyIn(answer) ?? submissionKey} renewed={keyIn(latest)} />
        <TextField
          label="Amount"
          placeholder="$0.00"
          inputMode="decimal"
          autoComplete="off"
          required
          {...form.field("amount")}
        />
        <SelectField
          label="Method"
          choices={[
            ...(methods.length === 1 ? [] : [{ value: "", label: "Choose a method" }]),
            ...methods,
          ]}
          required
          {...form.field("method")}
        />
        <SlipField upload={upload} error={form.error("slip") ?? form.error("slipId")} />
        <SubmitButton pending={pending} pendingText="Submitting...">
          Submit for review
        </SubmitButton>
      </FieldStack>
    </form>
  );
}

/** Sends the form once the slip is settled, one at a time, and says how it went. */
function useSubmission(upload: SlipUpload) {
  const fetcher = useFetcher<DepositAnswer>();
  const { revalidate } = useRevalidator();
  const [waiting, setWaiting] = useState(false);
  const told = useRef<DepositAnswer | undefined>(undefined);
  const { data, submit } = fetcher;
  const { clear, keep } = upload;
  useEffect(() => {
    if (!data || told.current === data) return;
    told.current = data;
    if (data.kind === "saved") {
      notifySuccess(savedText);
      clear();
    } else notifyError(data.kind === "signed-out" ? signedOut : invalidText);
    if (data.kind === "refused") keep(data.slip);
    // Only who is signed in: after a lost session it would lead away from what was typed.
    if ("submissionKey" in data) void revalidate();
  }, [data, clear, keep, revalidate]);
  const send = async (form: HTMLFormElement) => {
    if (waiting || fetcher.state !== "idle") return;
    setWaiting(true);
    const slip = await upload.settled();
    setWaiting(false);
    if (slip.kind === "failed" && !slip.again) return notifyError(invalidText);
    const body = new FormData(form);
    if (slip.kind === "kept") {
      body.delete("slip");
      body.set("slipId", slip.slipId);
    }
    body.set("by", "script");
    const options = { method: "post", encType: "multipart/form-data" } as const;
    await submit(body, { ...options, defaultShouldRevalidate: false });
  };
  return { send, pending: waiting || fetcher.state !== "idle", latest: data };
}

/** The one that the form was sent with, until it has become a deposit: a retry is then the same submission. */
function keyIn(answer: DepositAnswer | undefined): string | null {
  return answer && "submissionKey" in answer ? answer.submissionKey : null;
}

function Interruption({ answer }: { answer: DepositAnswer | undefined }) {
  if (answer?.kind === "signed-out") {
    return (
      <Notice tone="error">
        {signedOut}{" "}
        <Link to="/login" target="_blank" rel="noreferrer">
          Sign in in another tab
        </Link>
        , then submit again: nothing here is lost.
      </Notice>
    );
  }
  if (answer?.kind !== "failed") return null;
  return (
    <Notice tone="error">
      No answer came. Submit again: it will not become two deposits, and nothing here is lost.
    </Notice>
  );
}
