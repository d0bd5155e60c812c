import { data, Form } from "react-router";
import { leadOn, unlessRefused } from "#app/run-act.ts";
import { TestimonialSlide } from "#app/ui/content/testimonial-slide.tsx";
import { Button } from "#app/ui/controls/button.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { PreviewButton, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { type NameForm, nameForms, nameInForm } from "#core/people/name-form.ts";
import { appContext } from "#server/app-context.ts";
import {
  agreeToTestimonial,
  declineTestimonial,
  revokeTestimonial,
} from "#server/content/agree-to-testimonial.ts";
import { findActiveContract, findContractResult } from "#server/content/find-contract-result.ts";
import { findOwnTestimonial } from "#server/content/find-own-testimonial.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import type { Route } from "./+types/testimonial";
import styles from "./testimonial.module.css";
import { testimonialSchema } from "./testimonial-schema.ts";

export const meta = titled("Your words");
export const shouldRevalidate = readAfterConflict;

export async function loader({ context }: Route.LoaderArgs) {
  const { id, firstName, lastName } = context.get(customerContext);
  const { db } = context.get(appContext);
  const own = await findOwnTestimonial(db, id);
  const contractId = own && (own.contractId ?? (await findActiveContract(db, id)));
  const result = contractId ? await findContractResult(db, contractId) : null;
  return { own, result, person: { firstName, lastName } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const customer = context.get(customerContext);
  const form = await request.formData();
  const intent = form.get("intent");
  const to = "/account/testimonial";
  return unlessRefused(
    async () => {
      if (intent === "revoke" || intent === "decline") {
        const end = intent === "revoke" ? revokeTestimonial : declineTestimonial;
        await end(db, customer.id, now());
        return leadOn({ to, say: "testimonial-revoked" });
      }
      const submission = parseForm(form, { schema: testimonialSchema });
      if (submission.status !== "success") return data(submission.reply(), 400);
      if (intent !== "agree") return submission.reply();
      await agreeToTestimonial(db, customer, submission.value, now());
      return leadOn({ to, say: "testimonial-agreed" });
    },
    // The invitation was taken back meanwhile: the page says so.
    () => leadOn({ to }),
  );
}

export default function Testimonial({ loaderData, actionData }: Route.ComponentProps) {
  const { own, result, person } = loaderData;
  if (!own) {
    return (
      <>
        <PageHeader title="Your words" />
        <Panel>
          <EmptyState drawing="seal">
            We show none of your words on our site, and do not ask for any. If we do, you find the
            question here.
          </EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Your words"
        description="We would like to quote you on our site: only if you want to, and exactly as shown below."
      />
      <div className={layout.stack}>
        <Standing own={own} />
        {own.invitation ? <Notice title="We asked">{own.invitation}</Notice> : null}
        <Words
          key={own.consentId ?? "new"}
          own={own}
          result={result}
          person={person}
          lastResult={actionData ?? undefined}
        />
      </div>
    </>
  );
}

type Own = NonNullable<Route.ComponentProps["loaderData"]["own"]>;

function Standing({ own }: { own: Own }) {
  if (own.publishedAt) {
    return (
      <Notice tone="success" title="These words are on our site">
        If you remove them, the slide disappears at once. If you change them, we remove the old
        ones, and show the new ones once we publish them.
      </Notice>
    );
  }
  if (!own.consentId) return null;
  return (
    <Notice title="You agreed to these words">
      They are not on the site yet. We show exactly these or none; you can change or remove them.
    </Notice>
  );
}

const nameFormWords: Record<NameForm, string> = {
  full: "full name",
  "first-and-initial": "first name and initial",
  first: "first name",
  initials: "initials",
};

interface WordsProps {
  /** What the contract has brought; null: none runs. */
  result: string | null;
  own: Own;
  person: { firstName: string; lastName: string };
  lastResult: FormReply | undefined;
}

function Words({ own, result, person, lastResult }: WordsProps) {
  const nameForm =
    nameForms.find((each) => nameInForm(person, each) === own.shownName) ?? "first-and-initial";
  const saved = {
    words: own.words ?? "",
    role: own.role ?? "",
    image: own.image ?? "initials",
    nameForm,
  };
  const form = useForm({
    id: "testimonial",
    lastResult,
    defaultValue: saved,
    checksOnLeave: true,
    rules: async () => (await import("./testimonial-schema.ts")).testimonialSchema,
  });
  const typed = { ...saved, ...form.typed };
  return (
    <div className={layout.pair}>
      <Panel title="What you say">
        <Form method="post" preventScrollReset className={layout.form} {...form.props}>
          <FormAlert errors={form.errors} />
          <TextArea
            label="Your words"
            description="Good or bad, 20 to 600 characters. We do not change them"
            rows={6}
            {...form.field("words")}
          />
          <SelectField
            label="Your name"
            choices={nameForms.map((value) => ({
              value,
              label: `${nameInForm(person, value)} (${nameFormWords[value]})`,
            }))}
            {...form.field("nameForm")}
          />
          <TextField
            label="Role"
            description="Optional, for instance: customer since 2026"
            {...form.field("role")}
          />
          <SelectField
            label="Picture"
            choices={[
              { value: "initials", label: "The initials of the name above" },
              { value: "none", label: "None" },
            ]}
            {...form.field("image")}
          />
          <div className={layout.row}>
            <SubmitButton name="intent" value="agree" pendingText="Saving…">
              I agree that this is shown
            </SubmitButton>
            <PreviewButton />
          </div>
        </Form>
        <Ways own={own} />
      </Panel>
      <Panel title="Exactly what would be shown">
        <TestimonialSlide
          name={nameInForm(person, typed.nameForm as NameForm)}
          role={typed.role}
          text={typed.words.trim() || "…"}
          image={typed.image as "initials" | "none"}
          result={result}
        />
        <p className={styles.note}>
          The slide also shows what your contract has really brought of every $100.00 that you paid,
          gain or loss, and is published only while it runs.
        </p>
      </Panel>
    </div>
  );
}

/** The ways out: taking back what was agreed, and not being asked any more. */
function Ways({ own }: { own: Own }) {
  return (
    <Form method="post" preventScrollReset className={styles.ways}>
      {own.consentId ? (
        <Button type="submit" name="intent" value="revoke" look="outline" tone="brick">
          Remove my words
        </Button>
      ) : null}
      <Button type="submit" name="intent" value="decline" look="bare" tone="brick">
        Decline
      </Button>
    </Form>
  );
}
