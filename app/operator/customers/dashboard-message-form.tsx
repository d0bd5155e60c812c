import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { PreviewButton, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { DashboardBanner } from "#app/ui/page/dashboard-banner.tsx";
import layout from "#app/ui/page/layout.module.css";
import { dashboardBanner } from "#core/text/dashboard-banner.ts";
import styles from "./dashboard-message-form.module.css";

interface DashboardMessageFormProps {
  /** What stands above the customer's dashboard now. */
  saved: { message: string; expiresAt: Date | null; mark: string };
  depositTotalCents: bigint;
  /** The server's clock when it answered. */
  now: Date;
  lastResult: FormReply | undefined;
}

/** Where staff write what scrolls above a customer's dashboard, with the very banner that the customer will see. */
export function DashboardMessageForm({
  saved,
  depositTotalCents,
  now,
  lastResult,
}: DashboardMessageFormProps) {
  const form = useForm({
    id: "dashboard-message",
    lastResult,
    defaultValue: { text: saved.message, expiresAt: asUtcField(saved.expiresAt) },
    checksOnLeave: true,
    rules: async () => (await import("./dashboard-message-schema.ts")).dashboardMessageSchema,
  });
  const { text = "" } = form.typed;
  const banner = dashboardBanner({ depositTotalCents, message: text, expiresAt: null }, now);
  return (
    <Form method="post" preventScrollReset className={layout.form} {...form.props}>
      <FormAlert errors={form.errors} />
      <input type="hidden" name="seen" value={saved.mark} />
      <TextArea
        label="Message"
        description="With the word ‘notice’ it shows as a warning, otherwise green. A customer without deposits sees the welcome instead. Empty takes it away."
        grow
        rows={3}
        {...form.field("text")}
      />
      <TextField
        label="Ends (UTC)"
        description="Optional. We remove the message automatically at this time."
        {...form.field("expiresAt")}
        type="datetime-local"
        max="9999-12-31T23:59"
      />
      <div>
        <h3 className={styles.title}>What the customer sees</h3>
        {banner ? <DashboardBanner banner={banner} /> : <p className={layout.note}>No banner.</p>}
      </div>
      <div className={styles.actions}>
        <SubmitButton name="intent" value="message" pendingText="Saving…">
          Save message
        </SubmitButton>
        <PreviewButton />
      </div>
    </Form>
  );
}

/** A moment as a datetime-local field writes it, in UTC. */
function asUtcField(at: Date | null): string {
  return at ? at.toISOString().slice(0, 16) : "";
}
