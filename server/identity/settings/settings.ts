import { createHash } from "node:crypto";
import type { LocalePreferences } from "#core/people/locale-preferences.ts";

/** A customer's profile and choices, without the names. */
export interface Settings extends LocalePreferences {
  /** E.164, or null. */
  phone: string | null;
}

/** Whose browser asks for a change: the history of the account keeps it. */
export interface Browser {
  ipAddress: string;
  userAgent: string | null;
}

/**
 * A short mark of values as a form showed them. What comes back with another mark than that of the values now was
 * written in front of something else: in a second tab, on a second device.
 */
export function markOf(values: Record<string, unknown>): string {
  const sorted = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url").slice(0, 16);
}
