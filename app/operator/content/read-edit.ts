import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import type { ContentBody, ContentKind } from "#server/content/content.ts";
import { pieceSchemas } from "./piece-schema.ts";

/** What a submitted form says: the body of a version, and the name that a new question should have. */
export type ReadEdit =
  | { ok: true; content: ContentBody; wantedSlug: string | null; reply: Reply }
  | { ok: false; reply: Reply };
type Reply = (said?: {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
}) => FormReply;

/** Reads the form of a kind. */
export function readEdit(kind: ContentKind, form: FormData): ReadEdit {
  if (kind === "company") {
    const submission = parseForm(form, { schema: pieceSchemas.company });
    if (submission.status !== "success") return { ok: false, reply: submission.reply };
    const content = { kind, body: submission.value } as const;
    return { ok: true, content, wantedSlug: "company", reply: submission.reply };
  }
  if (kind === "faq") {
    const submission = parseForm(form, { schema: pieceSchemas.faq });
    if (submission.status !== "success") return { ok: false, reply: submission.reply };
    const { slug = null, ...body } = submission.value;
    return { ok: true, content: { kind, body }, wantedSlug: slug, reply: submission.reply };
  }
  const submission = parseForm(form, { schema: pieceSchemas.announcement });
  if (submission.status !== "success") return { ok: false, reply: submission.reply };
  const { publishedAt, expiresAt, ...words } = submission.value;
  const body = {
    ...words,
    publishedAt: publishedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
  return { ok: true, content: { kind, body }, wantedSlug: null, reply: submission.reply };
}
