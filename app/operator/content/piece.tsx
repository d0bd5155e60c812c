import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { slugOf } from "#core/text/slug.ts";
import {
  type ContentBody,
  type ContentKind,
  contentKinds,
  emptyCompany,
  type VersionState,
} from "#server/content/content.ts";
import { findFreeSlug } from "#server/content/find-free-slug.ts";
import {
  type ContentVersion,
  findPieceWithHistory,
  findSlugOf,
} from "#server/content/find-piece-with-history.ts";
import { saveContent } from "#server/content/save-content.ts";
import type { Db } from "#server/platform/database.ts";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/piece";
import { Comparison } from "./comparison.tsx";
import { PieceForm } from "./piece-form.tsx";
import { PieceHistory } from "./piece-history.tsx";
import { PiecePreview } from "./piece-preview.tsx";
import { readEdit } from "./read-edit.ts";
import { asFields, asUtcField, type TypedFields } from "./typed-fields.ts";

export const middleware = guard("content/read", {
  preview: "content/save-draft",
  draft: "content/save-draft",
  publish: "content/publish",
  withdraw: "content/withdraw",
});
export const shouldRevalidate = readAfterConflict;
export const handle = { keys: [] };
export function meta({ params, matches }: Route.MetaArgs) {
  const name = params.kind === "company" ? "Company" : params.slug;
  return [{ title: `${name} · Content · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const kind = kindOf(params.kind);
  const { slug } = params;
  const isNew = slug === "new" && kind !== "company";
  const piece = isNew ? { slug, versions: [] } : await findPieceWithHistory(db, kind, slug);
  if (!piece || (kind === "company" && slug !== "company")) throw notFound();
  const { searchParams } = new URL(request.url);
  const { versions } = piece;
  const restored = pick(versions, searchParams.get("restore"));
  return {
    kind,
    slug,
    isNew,
    newId: isNew ? randomUUID() : null,
    versions,
    restored: restored?.version ?? null,
    compared: pick(versions, searchParams.get("compare"))?.version ?? null,
    fields: restored ? asFields(restored.body) : fieldsAtFirst(kind, versions[0], now()),
    saved: searchParams.get("saved"),
    now: now(),
  };
}

function kindOf(text: string): ContentKind {
  const kind = contentKinds.find((known) => known === text);
  if (!kind) throw notFound();
  return kind;
}

function pick(versions: ContentVersion[], version: string | null): ContentVersion | undefined {
  return versions.find((each) => String(each.version) === version);
}

function fieldsAtFirst(
  kind: ContentKind,
  newest: ContentVersion | undefined,
  now: Date,
): TypedFields {
  if (newest) return asFields(newest.body);
  if (kind === "company") return { ...emptyCompany };
  return kind === "announcement" ? { publishedAt: asUtcField(now) } : {};
}

const intents: Record<string, VersionState> = {
  draft: "draft",
  publish: "published",
  withdraw: "withdrawn",
};

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const kind = kindOf(params.kind);
  const form = await request.formData();
  const seenVersion = Math.max(0, Math.trunc(Number(form.get("seenVersion")) || 0));
  const read = readEdit(kind, form);
  const intent = String(form.get("intent"));
  const state = intents[intent];
  if (!read.ok) return data({ result: read.reply(), seenVersion, theirs: null }, 400);
  if (!state) return { result: read.reply(), seenVersion, theirs: null };
  const newId = params.slug === "new" ? String(form.get("newId")) : null;
  const id = isUuid(newId) ? newId : null;
  return runAct(
    async () => {
      const slug = id ? await nameFor(read.content, read.wantedSlug, context) : params.slug;
      const edit = { ...read.content, slug, seenVersion, state, newId: id };
      const saved = await saveContent(db, operator, edit, now());
      const to = `/operator/content/${kind}/${saved.slug}?saved=${saved.version}`;
      return { to, say: saidAfter[state] };
    },
    async (said) => {
      const theirs = said.status === 409 ? await newestOf(db, kind, id, params.slug) : null;
      // The page itself says what a colleague saved.
      const result = read.reply(theirs ? {} : errorsOf(said, form));
      return { result, seenVersion: theirs?.version ?? seenVersion, theirs };
    },
    sayRefusal,
  );
}

const saidAfter = {
  draft: "content-draft-saved",
  published: "content-published",
  withdrawn: "content-withdrawn",
} as const;

/** A question's own wish, else what its title makes; announcements take the next free name. */
async function nameFor(
  content: ContentBody,
  wanted: string | null,
  context: Route.ActionArgs["context"],
): Promise<string> {
  const { app } = consoleOf(context);
  if (wanted || content.kind === "company") return wanted ?? "company";
  const { body } = content;
  const title = "question" in body ? body.question : body.title;
  return findFreeSlug(app.db, content.kind, slugOf(title));
}

/** A new piece may have been saved by this very form, whose answer was lost. */
async function newestOf(db: Db, kind: ContentKind, newId: string | null, slug: string) {
  const saved = newId ? await findSlugOf(db, newId) : slug;
  const piece = saved === null ? null : await findPieceWithHistory(db, kind, saved);
  return piece?.versions[0] ?? null;
}

const nouns: Record<ContentKind, string> = {
  company: "Company",
  faq: "Question",
  announcement: "Announcement",
};

export default function Piece({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, slug, isNew, versions, compared, restored, saved } = loaderData;
  const [newest] = versions;
  const mayWrite = useMay()("content/save-draft");
  const older = versions.find(({ version }) => version === compared);
  return (
    <>
      <PageHeader
        title={isNew ? `New ${nouns[kind].toLowerCase()}` : nouns[kind]}
        description={isNew ? "Nothing is shown before it is published." : placeOf(kind, slug)}
      />
      <div className={layout.stack}>
        {mayWrite ? (
          <PieceForm
            // A form begins anew after its own save, and with another version's words; never while somebody types.
            key={`${kind}/${slug}/${restored}/${saved}`}
            {...loaderData}
            answer={actionData}
          />
        ) : (
          <Panel title="The newest version">
            <PiecePreview kind={kind} typed={loaderData.fields} now={loaderData.now} />
          </Panel>
        )}
        {older && newest ? <Comparison kind={kind} older={older} newer={newest} /> : null}
        {versions.length > 0 ? <PieceHistory versions={versions} compared={compared} /> : null}
      </div>
    </>
  );
}

function placeOf(kind: ContentKind, slug: string) {
  if (kind === "company") return "Shown in the footer, on /about and on /contact.";
  const to = kind === "faq" ? `/faq#${slug}` : `/news#${slug}`;
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {to}
    </a>
  );
}
