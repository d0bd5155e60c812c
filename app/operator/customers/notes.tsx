import { randomUUIDv7 } from "node:crypto";
import { Form } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { flagDays, flagKinds, flagWords } from "#core/people/customer-flags.ts";
import { liftFlag } from "#server/staff-notes/lift-flag.ts";
import { listEndedFlags, type StandingFlag } from "#server/staff-notes/list-flags.ts";
import { listNotes } from "#server/staff-notes/list-notes.ts";
import { raiseFlag } from "#server/staff-notes/raise-flag.ts";
import { writeNote } from "#server/staff-notes/write-note.ts";
import { ActForm, type FormAnswer, Pair } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/notes";
import lists from "./customer-lists.module.css";
import styles from "./frame.module.css";
import { CustomerFrame } from "./frame.tsx";
import { flagSchema, liftSchema, noteSchema } from "./notes-schema.ts";
import { readSection } from "./read-section.ts";

export const middleware = guard("staff-notes/read", {
  write: "staff-notes/write-note",
  raise: "staff-notes/raise-flag",
  lift: "staff-notes/lift-flag",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Notes about a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db, id, at } = await readSection(context, params.customerId);
  const { operator } = consoleOf(context);
  const [notes, ended] = await Promise.all([
    listNotes(db, id, 200),
    listEndedFlags(db, id, at, 50),
  ]);
  const lastOwn = notes.find(({ writtenBy }) => writtenBy === operator.id)?.id ?? null;
  return { frame, notes, lastOwn, ended, noteId: randomUUIDv7() };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { customerId } = params;
  const form = await request.formData();
  const to = `/operator/customers/${customerId}/notes`;
  switch (form.get("intent")) {
    case "write":
      return answerAct(form, noteSchema, async (note) => {
        await writeNote(db, operator, { customerId, ...note }, now());
        return { to, say: "note-written" };
      });
    case "lift":
      return answerAct(form, liftSchema, async ({ flagId }) => {
        await liftFlag(db, operator, { customerId, flagId }, now());
        return { to, say: "flag-lifted" };
      });
    default:
      return answerAct(form, flagSchema, async ({ days, ...flag }) => {
        await raiseFlag(db, operator, { customerId, ...flag, days: Number(days) }, now());
        return { to, say: "flag-raised" };
      });
  }
}

export default function CustomerNotes({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, notes, lastOwn, ended, noteId } = loaderData;
  const may = useMay();
  return (
    <CustomerFrame frame={frame}>
      <div className={`${layout.stack} ${styles.reading}`}>
        {may("staff-notes/write-note") ? (
          <NoteForm key={`${frame.customer.id}/${lastOwn}`} noteId={noteId} answer={actionData} />
        ) : null}
        <Panel title="Notes" flush>
          {notes.length === 0 ? <p className={list.empty}>No notes yet.</p> : null}
          <ul className={layout.plain}>
            {notes.map((note) => (
              <li key={note.id} className={lists.entry}>
                <div className={layout.quiet}>
                  {note.author}, <When at={note.writtenAt} />
                </div>
                <p className={styles.words}>{note.body}</p>
              </li>
            ))}
          </ul>
        </Panel>
        <Flags standing={frame.flags} answer={actionData} />
        {may("staff-notes/raise-flag") ? (
          <FlagForm answer={actionData} key={frame.flags.at(-1)?.id} />
        ) : null}
        {ended.length > 0 ? (
          <Panel title="Flags that are over" flush>
            <ul className={layout.plain}>
              {ended.map((flag) => (
                <li key={flag.id} className={lists.entry}>
                  {flagWords[flag.kind]}
                  <div className={layout.quiet}>
                    {flag.raisedByName}, <When at={flag.raisedAt} />
                  </div>
                  <div className={layout.quiet}>
                    {flag.liftedAt ? `Lifted by ${flag.liftedByName}` : "Ended"},{" "}
                    <When at={flag.liftedAt ?? flag.endsAt} />
                  </div>
                  <p className={styles.words}>{flag.reason}</p>
                </li>
              ))}
            </ul>
          </Panel>
        ) : null}
      </div>
    </CustomerFrame>
  );
}

interface NoteFormProps {
  noteId: string;
  answer: FormAnswer | undefined;
}

function NoteForm({ noteId, answer }: NoteFormProps) {
  return (
    <Panel title="Write a note">
      <ActForm
        intent="write"
        rules={async () => (await import("./notes-schema.ts")).noteSchema}
        answer={answer}
        button="Keep the note"
        pendingText="Keeping…"
      >
        {(form) => (
          <>
            <FormKey name="noteId" fresh={noteId} />
            <TextArea
              label="Note"
              description="For colleagues, for good. Not on the customer's pages, but in the copy of the data that customers can ask for: write what you could read out to them. A suspicion belongs into a flag"
              rows={3}
              {...form.field("body")}
            />
          </>
        )}
      </ActForm>
    </Panel>
  );
}

function Flags({ standing, answer }: { standing: StandingFlag[]; answer: FormAnswer | undefined }) {
  const may = useMay();
  const own = answer?.form === "lift" ? answer.result.error : null;
  if ((standing.length === 0 && !own) || !may("staff-notes/lift-flag")) return null;
  return (
    <Panel title="Raised flags" flush>
      {own ? <FormAlert errors={Object.values(own).flat()} /> : null}
      <ul className={layout.plain}>
        {standing.map((flag) => (
          <li key={flag.id} className={lists.entry}>
            <Form method="post" preventScrollReset className={lists.line}>
              <input type="hidden" name="flagId" value={flag.id} />
              {flagWords[flag.kind]}
              <SubmitButton
                name="intent"
                value="lift"
                look="quiet"
                size="small"
                aria-label={`Lift: ${flagWords[flag.kind]}`}
              >
                Lift
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FlagForm({ answer }: { answer: FormAnswer | undefined }) {
  return (
    <Panel title="Raise a flag">
      <ActForm
        intent="raise"
        rules={async () => (await import("./notes-schema.ts")).flagSchema}
        answer={answer}
        defaults={{ kind: flagKinds[0], days: "30" }}
        button="Raise the flag"
        pendingText="Raising…"
        tone="plain"
      >
        {(form) => (
          <>
            <p className={styles.note}>
              It stands wherever somebody decides about this customer, until its end. The customer
              learns of it only from a copy of the data, and only once it is over.
            </p>
            <Pair>
              <SelectField
                label="What to mind"
                choices={flagKinds.map((value) => ({ value, label: flagWords[value] }))}
                {...form.field("kind")}
              />
              <SelectField
                label="For"
                choices={flagDays.map((days) => ({ value: String(days), label: `${days} days` }))}
                {...form.field("days")}
              />
            </Pair>
            <TextArea label="Why" rows={2} {...form.field("reason")} />
          </>
        )}
      </ActForm>
    </Panel>
  );
}
