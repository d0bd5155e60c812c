import type { z } from "#core/zod.ts";
import type { ContentKind } from "#server/content/content.ts";
import type { pieceSchemas } from "./piece-schema.ts";

/** A moment as a datetime-local field writes it, in UTC. */
export function asUtcField(at: string | Date | null | undefined): string {
  if (!at) return "";
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 16);
}

/** What the fields of a form hold, of whatever kind: texts, as typed. */
export type TypedFields = Partial<Record<FieldName<(typeof pieceSchemas)[ContentKind]>, string>>;
type FieldName<Schema extends z.ZodMiniType> = Schema extends unknown
  ? keyof z.infer<Schema>
  : never;

/** A version's body as its form shows it. */
export function asFields(body: Record<string, unknown>): TypedFields {
  const { publishedAt, expiresAt, pinned, ...texts } = body;
  return {
    ...(texts as TypedFields),
    ...("publishedAt" in body && {
      publishedAt: asUtcField(publishedAt as string),
      expiresAt: asUtcField(expiresAt as string | null),
      pinned: pinned ? "on" : "",
    }),
  };
}
