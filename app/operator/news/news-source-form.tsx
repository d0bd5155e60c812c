import { Form } from "react-router";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import styles from "./news.module.css";

interface NewsSourceFormProps {
  saved: { name: string; url: string; enabled: boolean; revision: number } | null;
  /** What the colleague who was quicker left. */
  seenRevision: number | null;
  lastResult: FormReply | undefined;
}

/** Where a feed is added or changed. */
export function NewsSourceForm({ saved, seenRevision, lastResult }: NewsSourceFormProps) {
  const form = useForm({
    id: "news-source",
    lastResult,
    defaultValue: saved
      ? { name: saved.name, url: saved.url, enabled: saved.enabled ? "on" : "" }
      : { enabled: "on" },
    checksOnLeave: true,
    rules: async () => (await import("./news-schema.ts")).newsSourceSchema,
  });
  return (
    <Form method="post" preventScrollReset className={styles.form} {...form.props}>
      <FormAlert errors={form.errors} />
      <input type="hidden" name="seenRevision" value={seenRevision ?? saved?.revision ?? 0} />
      <TextField
        label="Name"
        description="Shown next to each of its headlines"
        {...form.field("name")}
      />
      <TextField
        label="Address"
        description="RSS, Atom or JSON feed, https only"
        inputMode="url"
        {...form.field("url")}
      />
      <CheckField label="Read it and show its news" {...form.check("enabled")} />
      <div>
        <SubmitButton name="intent" value="save" pendingText="Saving…">
          {saved ? "Save" : "Add the feed"}
        </SubmitButton>
      </div>
    </Form>
  );
}
