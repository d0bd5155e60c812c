import { CheckField } from "#app/ui/controls/check-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { placeholders } from "#core/text/placeholders.ts";
import type { ContentKind } from "#server/content/content.ts";
import styles from "./piece.module.css";
import type { TypedFields } from "./typed-fields.ts";

type Fields = FormFields<keyof TypedFields>;

/** The fields of a text, by its kind. */
export function PieceFields({
  kind,
  isNew,
  form,
}: {
  kind: ContentKind;
  isNew: boolean;
  form: Fields;
}) {
  if (kind === "company") return <CompanyFields form={form} />;
  return (
    <>
      {kind === "faq" ? (
        <FaqFields form={form} isNew={isNew} />
      ) : (
        <AnnouncementFields form={form} />
      )}
      <FormattingHelp />
    </>
  );
}

function CompanyFields({ form }: { form: Fields }) {
  return (
    <>
      <TextField label="Name" {...form.field("name")} />
      <TextField
        label="Registration"
        description="Register and number"
        {...form.field("registration")}
      />
      <TextArea label="Postal address" rows={4} {...form.field("postalAddress")} />
      <TextField label="E-mail" {...form.field("email")} inputMode="email" />
      <TextField label="Phone" {...form.field("phone")} inputMode="tel" />
      <TextArea label="Office hours" rows={3} {...form.field("officeHours")} />
      <p className={layout.note}>What is empty is not shown.</p>
    </>
  );
}

function FaqFields({ form, isNew }: { form: Fields; isNew: boolean }) {
  return (
    <>
      <TextField label="Question" {...form.field("question")} />
      {isNew ? (
        <TextField
          label="Name in addresses"
          description="Optional, made from the question. It never changes afterwards: links lead there"
          placeholder="how-to-withdraw"
          {...form.field("slug")}
        />
      ) : null}
      <TextArea label="Answer" rows={12} {...form.field("answer")} />
    </>
  );
}

function AnnouncementFields({ form }: { form: Fields }) {
  return (
    <>
      <TextField label="Title" {...form.field("title")} />
      <TextArea label="Text" rows={10} {...form.field("text")} />
      <div className={styles.times}>
        <TextField
          label="Shown from (UTC)"
          {...form.field("publishedAt")}
          type="datetime-local"
          max="9999-12-31T23:59"
        />
        <TextField
          label="Shown until (UTC)"
          description="Optional"
          {...form.field("expiresAt")}
          type="datetime-local"
          max="9999-12-31T23:59"
        />
      </div>
      <CheckField label="Pinned above all others" {...form.check("pinned")} />
    </>
  );
}

function FormattingHelp() {
  return (
    <details className={styles.help}>
      <summary>How to write: paragraphs, lists, links, numbers of the terms</summary>
      <p>
        An empty line begins a paragraph. Lines that begin with <code>- </code> make a list.{" "}
        <code>**strong**</code> and <code>[words](/address)</code> or{" "}
        <code>[words](https://example.com)</code>. Nothing else is formatting.
      </p>
      <p>
        Numbers of the terms stand by name, so that no text can disagree with them. They are not
        edited here.
      </p>
      <dl className={styles.names}>
        {Object.entries(placeholders).map(([name, words]) => (
          <div key={name}>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
