import { Form } from "react-router";
import { runAct } from "#app/run-act.ts";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { flagDays, flagKinds, flagWords } from "#core/people/customer-flags.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { liftFlag } from "#server/staff-notes/lift-flag.ts";
import { listEndedFlags, type StandingFlag } from "#server/staff-notes/list-flags.ts";
import { listNotes } from "#server/staff-notes/list-notes.ts";
import { raiseFlag } from "#server/staff-notes/raise-flag.ts";
import { writeNote } from "#server/staff-notes/write-note.ts";
import { PlainForm } from "../parts/act-form.tsx";
import list from "../parts/console-list.module.css";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/notes";
import lists from "./customer-lists.module.css";
import styles from "./frame.module.css";
import { CustomerFrame } from "./frame.tsx";
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
  const [notes, ended] = await Promise.all([
    listNotes(db, id, 200),
    listEndedFlags(db, id, at, 50),
  ]);
  return { frame, notes, ended };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const { customerId } = params;
  return runAct(
    async () => ({
      to: `/operator/customers/${customerId}/notes`,
      say: await act(app, operator, customerId, form),
    }),
    (said) => ({ intent, fault: said.text, typed: typedIn(form) }),
    sayRefusal,
  );
}

async function act(
  { db, now }: App,
  operator: Operator,
  customerId: string,
  form: FormData,
): Promise<FlashKey> {
  const text = (name: string) => String(form.get(name) ?? "");
  if (form.get("intent") === "write") {
    await writeNote(db, operator, { customerId, body: text("body") }, now());
    return "note-written";
  }
  if (form.get("intent") === "lift") {
    await liftFlag(db, operator, { customerId, flagId: text("flagId") }, now());
    return "flag-lifted";
  }
  const kind = flagKinds.find((known) => known === text("kind"));
  if (!kind) throw new Refusal("staff-notes/no-such-flag");
  const flag = { customerId, kind, reason: text("reason"), days: Number(text("days")) };
  await raiseFlag(db, operator, flag, now());
  return "flag-raised";
}

function typedIn(form: FormData): Record<string, string> {
  const pairs = ["body", "kind", "reason", "days"].map((name) => [name, form.get(name)] as const);
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

type Answer = { intent: string; fault: string; typed: Record<string, string> } | undefined;

export default function CustomerNotes({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, notes, ended } = loaderData;
  const may = useMay();
  return (
    <CustomerFrame frame={frame}>
      <div className={`${layout.stack} ${styles.reading}`}>
        {may("staff-notes/write-note") ? <NoteForm answer={actionData} key={notes[0]?.id} /> : null}
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

function NoteForm({ answer }: { answer: Answer }) {
  const own = answer?.intent === "write" ? answer : undefined;
  return (
    <Panel title="Write a note">
      <PlainForm intent="write" fault={own?.fault} button="Keep the note" pendingText="Keeping…">
        <TextArea
          name="body"
          label="Note"
          description="For colleagues, for good. Not on the customer's pages, but in the copy of the data that customers can ask for: write what you could read out to them. A suspicion belongs into a flag"
          rows={3}
          maxLength={4000}
          required
          defaultValue={own?.typed["body"] ?? ""}
        />
      </PlainForm>
    </Panel>
  );
}

function Flags({ standing, answer }: { standing: StandingFlag[]; answer: Answer }) {
  const may = useMay();
  const own = answer?.intent === "lift" ? answer : undefined;
  if (standing.length === 0 || !may("staff-notes/lift-flag")) return null;
  return (
    <Panel title="Raised flags" flush>
      {own ? <FormAlert errors={[own.fault]} /> : null}
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

function FlagForm({ answer }: { answer: Answer }) {
  const own = answer?.intent === "raise" ? answer : undefined;
  return (
    <Panel title="Raise a flag">
      <Form method="post" preventScrollReset className={layout.form}>
        <FormAlert errors={own ? [own.fault] : null} />
        <p className={styles.note}>
          It stands wherever somebody decides about this customer, until its end. The customer
          learns of it only from a copy of the data, and only once it is over.
        </p>
        <div className={styles.pair}>
          <SelectField
            name="kind"
            label="What to mind"
            choices={flagKinds.map((value) => ({ value, label: flagWords[value] }))}
            defaultValue={own?.typed["kind"] ?? flagKinds[0]}
          />
          <SelectField
            name="days"
            label="For"
            choices={flagDays.map((days) => ({ value: String(days), label: `${days} days` }))}
            defaultValue={own?.typed["days"] ?? "30"}
          />
        </div>
        <TextArea
          name="reason"
          label="Why"
          rows={2}
          maxLength={1000}
          required
          defaultValue={own?.typed["reason"] ?? ""}
        />
        <div>
          <SubmitButton name="intent" value="raise" look="outline" pendingText="Raising…">
            Raise the flag
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
