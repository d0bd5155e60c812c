import type { FieldMetadata } from "@conform-to/react";
import { CheckField } from "#app/ui/controls/check-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { checkbox, field, textarea } from "#app/ui/forms/form-fields.tsx";
import { placeholders } from "#core/text/placeholders.ts";
import type { ContentKind } from "#server/content/content.ts";
import styles from "./piece.module.css";
import type { TypedFields } from "./piece-schema.ts";

type Fields = { [Name in keyof TypedFields]-?: FieldMetadata<string | undefined, TypedFields> };

/** The fields of a text, by its kind. */
export function PieceFields({
  kind,
  isNew,
  fields,
}: {
  kind: ContentKind;
  isNew: boolean;
  fields: unknown;
}) {
  const known = fields as Fields;
  if (kind === "company") return <CompanyFields fields={known} />;
  return (
    <>
      {kind === "faq" ? (
        <FaqFields fields={known} isNew={isNew} />
      ) : (
        <AnnouncementFields fields={known} />
      )}
      <FormattingHelp />
    </>
  );
}

function CompanyFields({ fields }: { fields: Fields }) {
  return (
    <>
      <TextField label="Name" {...field(fields.name)} />
      <TextField
        label="Registration"
        description="Register and number"
        {...field(fields.registration)}
      />
      <TextArea label="Postal address" rows={4} {...textarea(fields.postalAddress)} />
      <TextField label="E-mail" {...field(fields.email)} inputMode="email" />
      <TextField label="Phone" {...field(fields.phone)} inputMode="tel" />
      <TextArea label="Office hours" rows={3} {...textarea(fields.officeHours)} />
      <p className={styles.note}>What is empty is not shown.</p>
    </>
  );
}

function FaqFields({ fields, isNew }: { fields: Fields; isNew: boolean }) {
  return (
    <>
      <TextField label="Question" {...field(fields.question)} />
      {isNew ? (
        <TextField
          label="Name in addresses"
          description="Optional, made from the question. It never changes afterwards: links lead there"
          placeholder="how-to-withdraw"
          {...field(fields.slug)}
        />
      ) : null}
      <TextArea label="Answer" rows={12} {...textarea(fields.answer)} />
    </>
  );
}

function AnnouncementFields({ fields }: { fields: Fields }) {
  return (
    <>
      <TextField label="Title" {...field(fields.title)} />
      <TextArea label="Text" rows={10} {...textarea(fields.text)} />
      <div className={styles.times}>
        <TextField
          label="Shown from (UTC)"
          {...field(fields.publishedAt)}
          type="datetime-local"
          max="9999-12-31T23:59"
        />
        <TextField
          label="Shown until (UTC)"
          description="Optional"
          {...field(fields.expiresAt)}
          type="datetime-local"
          max="9999-12-31T23:59"
        />
      </div>
      <CheckField label="Pinned above all others" {...checkbox(fields.pinned)} />
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
