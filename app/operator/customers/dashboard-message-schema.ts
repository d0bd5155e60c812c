import { dashboardMessageMaxLength } from "#core/text/dashboard-banner.ts";
import { z } from "#core/zod.ts";
import { mark } from "../parts/fields.ts";
import { parsed, withoutNul } from "../parts/parsed-text.ts";

const tooLong = `At most ${dashboardMessageMaxLength} characters`;
const notADate = "Write a date and a time, for instance 2026-12-01 18:00";

/** The form of a dashboard message: a text that may be empty, and the UTC moment at which it ends. */
export const dashboardMessageSchema = z.object({
  /** The mark of the message that the form was made of. */
  seen: mark,
  text: z._default(
    z.string().check(z.overwrite(withoutNul), z.maxLength(dashboardMessageMaxLength, tooLong)),
    "",
  ),
  expiresAt: z.optional(parsed("", readUtc, notADate)),
});

/** A datetime-local field's text, or the same with a space, taken as UTC. */
function readUtc(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})/.exec(text.trim());
  const at = match ? new Date(`${match[1]}T${match[2]}Z`) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}
