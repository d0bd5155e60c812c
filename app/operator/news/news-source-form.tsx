import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { checkbox, field } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./news.module.css";
import { newsSourceSchema } from "./news-schema.ts";

interface NewsSourceFormProps {
  saved: { name: string; url: string; enabled: boolean; revision: number } | null;
  /** What the colleague who was quicker left. */
  seenRevision: number | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** Where a feed is added or changed. */
export function NewsSourceForm({ saved, seenRevision, lastResult }: NewsSourceFormProps) {
  const [form, fields] = useForm({
    id: "news-source",
    lastResult,
    defaultValue: saved
      ? { name: saved.name, url: saved.url, enabled: saved.enabled ? "on" : "" }
      : { enabled: "on" },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: newsSourceSchema }),
  });
  return (
    <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
      <FormAlert errors={form.errors} id={form.errorId} />
      <input type="hidden" name="seenRevision" value={seenRevision ?? saved?.revision ?? 0} />
      <TextField
        label="Name"
        description="Shown next to each of its headlines"
        {...field(fields.name)}
      />
      <TextField
        label="Address"
        description="RSS, Atom or JSON feed, https only"
        inputMode="url"
        {...field(fields.url)}
      />
      <CheckField label="Read it and show its news" {...checkbox(fields.enabled)} />
      <div>
        <SubmitButton name="intent" value="save" pendingText="Saving…">
          {saved ? "Save" : "Add the feed"}
        </SubmitButton>
      </div>
    </Form>
  );
}
