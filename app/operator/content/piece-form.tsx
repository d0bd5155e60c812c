import { useEffect, useState } from "react";
import { Form, useBlocker, useLocation } from "react-router";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { PreviewButton, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { ContentKind } from "#server/content/content.ts";
import type { ContentVersion } from "#server/content/find-piece-with-history.ts";
import { Comparison } from "./comparison.tsx";
import { PieceFields } from "./piece-fields.tsx";
import { PiecePreview } from "./piece-preview.tsx";
import type { TypedFields } from "./typed-fields.ts";

interface PieceFormProps {
  kind: ContentKind;
  isNew: boolean;
  newId: string | null;
  versions: ContentVersion[];
  /** The version whose words stand in the form, if it is an older one. */
  restored: number | null;
  fields: TypedFields;
  now: Date;
  answer:
    | {
        result: FormReply;
        seenVersion: number;
        /** What somebody else saved meanwhile. */
        theirs: ContentVersion | null;
      }
    | undefined;
}

/** Where a text is written, beside the very look that it will have on the site. */
export function PieceForm(props: PieceFormProps) {
  const { kind, isNew, newId, versions, restored, fields: values, now, answer } = props;
  const { pathname } = useLocation();
  const [begunWith] = useState(versions[0]?.version ?? 0);
  const form = useForm({
    id: "piece",
    lastResult: answer?.result,
    defaultValue: values,
    checksOnLeave: true,
    rules: async () => (await import("./piece-schema.ts")).pieceSchemas[kind],
  });
  const typed: TypedFields = form.typed;
  useKeepTyped(JSON.stringify(typed) !== JSON.stringify(values));
  const theirs = answer?.theirs ?? null;
  return (
    <>
      {theirs ? <Meanwhile kind={kind} theirs={theirs} typed={typed} /> : null}
      {restored !== null && !answer ? (
        <Notice title={`These are the words of version ${restored}`}>
          Nothing has changed yet: save or publish them to put them on top of the history.
        </Notice>
      ) : null}
      <div className={layout.pair}>
        <Panel title="Text">
          <Form
            method="post"
            action={pathname}
            preventScrollReset
            className={layout.form}
            {...form.props}
          >
            <input type="hidden" name="seenVersion" value={answer?.seenVersion ?? begunWith} />
            {newId ? <FormKey name="newId" fresh={newId} /> : null}
            <FormAlert errors={form.errors} />
            <PieceFields kind={kind} isNew={isNew} form={form} />
            <div className={layout.row}>
              <SubmitButton name="intent" value="publish" pendingText="Saving…">
                Publish
              </SubmitButton>
              <SubmitButton name="intent" value="draft" look="quiet" pendingText="Saving…">
                Save as draft
              </SubmitButton>
              {isShown(versions) && kind !== "company" ? (
                <SubmitButton
                  name="intent"
                  value="withdraw"
                  look="outline"
                  tone="brick"
                  pendingText="Saving…"
                >
                  Take off the site
                </SubmitButton>
              ) : null}
              <PreviewButton />
            </div>
          </Form>
        </Panel>
        <Panel title="As visitors will see it">
          <PiecePreview kind={kind} typed={typed} now={now} />
        </Panel>
      </div>
    </>
  );
}

function isShown(versions: ContentVersion[]): boolean {
  return versions.find(({ state }) => state !== "draft")?.state === "published";
}

/** Somebody else was quicker: nothing typed is lost, and what he wrote is not overwritten unseen. */
function Meanwhile({
  kind,
  theirs,
  typed,
}: {
  kind: ContentKind;
  theirs: ContentVersion;
  typed: TypedFields;
}) {
  return (
    <>
      <Notice tone="warning" role="alert" title="Another version was saved while you wrote">
        {theirs.author ?? "A colleague"} saved version {theirs.version}. Yours is still in the form,
        and is not saved over it. Below is how it differs; take over what you want to keep, then
        save again to put yours on top.
      </Notice>
      <Comparison kind={kind} older={theirs} newer={{ ...theirs, body: typed }} isTyped />
    </>
  );
}

const question = "What you typed is not saved. Leave it?";

/** Asks before words that were typed and not saved are left: by a link, the back button or the tab's end. */
function useKeepTyped(isDirty: boolean): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const restore = (search: string) => new URLSearchParams(search).get("restore");
    const leaves =
      currentLocation.pathname !== nextLocation.pathname ||
      restore(currentLocation.search) !== restore(nextLocation.search);
    return isDirty && leaves;
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
}
