import { Form, Link, useLocation, useSearchParams } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { withParams } from "#app/ui/tables/list-params.ts";
import { Folded } from "../parts/folded.tsx";
import styles from "./deposit.module.css";

/** Where the reason of a rejection may start from. Each is to be made true for the case at hand. */
const readyReasons = [
  {
    name: "Nothing arrived",
    text: "The payment has not arrived at our address. If you have sent it, please submit the slip again with the transaction id visible.",
  },
  {
    name: "Slip unreadable",
    text: "We could not read the slip. Please submit it again as a clear picture or PDF that shows amount, date and transaction id.",
  },
  {
    name: "Used before",
    text: "This slip was submitted before with another deposit. If you have made a second payment, please submit its own slip.",
  },
  {
    name: "Other address",
    text: "The slip shows a payment to an address that is not ours, so we have not received it. Please contact us before you send anything else.",
  },
];

/** Folded away until it is wanted: the reason that the customer reads, and the button. */
export function RejectForm({ lastResult }: { lastResult: FormReply | undefined }) {
  const [params] = useSearchParams();
  const ready = readyReasons[Number(params.get("reason") ?? -1)];
  return (
    <Folded title="Reject" look="grave" open={Boolean(ready || lastResult)}>
      <Reason key={ready?.name ?? ""} start={ready?.text ?? ""} lastResult={lastResult} />
    </Folded>
  );
}

interface ReasonProps {
  start: string;
  lastResult: FormReply | undefined;
}

function Reason({ start, lastResult }: ReasonProps) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const form = useForm({
    id: "reject",
    lastResult,
    defaultValue: { reason: start },
    // Not on blur: an error that appears between press and release would move the ready reasons away.
    rules: async () => (await import("./rejection-schema.ts")).rejectionSchema,
  });
  return (
    <Form
      method="post"
      action={pathname}
      preventScrollReset
      className={styles.form}
      {...form.props}
    >
      <FormAlert errors={form.errors} />
      <TextArea
        label="Reason"
        description="The customer reads it on the deposits page and in a mail"
        rows={4}
        data-key="r"
        {...form.field("reason")}
      />
      <ul className={styles.ready} aria-label="Words to start from">
        {readyReasons.map(({ name }, index) => (
          <li key={name}>
            <Link
              to={withParams(params, { reason: index })}
              preventScrollReset
              className={styles.reason}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <SubmitButton
          name="intent"
          value="reject"
          look="outline"
          tone="brick"
          pendingText="Rejecting…"
        >
          Reject and tell the customer
        </SubmitButton>
      </div>
    </Form>
  );
}
