import type { LocalePreferences } from "#core/people/locale-preferences.ts";

type Moment = Date | string;

/** How the site writes a moment where no one chose another way. */
const siteLocale = "en-GB";

const parts: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};

/** A moment in UTC, to the minute: "21 Nov 2026, 02:12 UTC". */
export function formatUtc(at: Moment, locale: LocalePreferences["locale"] = null): string {
  return formatWithZone(at, { locale, timeZone: "UTC" });
}

/** A moment in a time zone, which it names by its distance from UTC: "21 Nov 2026, 03:12 UTC+1". */
export function formatWithZone(at: Moment, zone: Omit<LocalePreferences, "currency">): string {
  return `${formatIn(at, zone)} ${offsetIn(at, zone.timeZone)}`;
}

/**
 * A moment in a time zone, to the minute: "21 Nov 2026, 03:12". Without one it is that of the machine, which is the
 * reader's only in the browser.
 */
export function formatIn(
  at: Moment,
  { locale, timeZone }: Omit<LocalePreferences, "currency">,
): string {
  return formatOf(locale, timeZone).format(new Date(at));
}

/** The same moment in UTC next to a local one: its time, and its day where that is another: "02:12 UTC". */
export function formatUtcBeside(
  at: Moment,
  { locale, timeZone }: Omit<LocalePreferences, "currency">,
): string {
  if (dayIn(at, timeZone) !== dayIn(at, "UTC")) return formatUtc(at, locale);
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** The day that a clock on the wall shows, as text that can be compared. */
function dayIn(at: Moment, zone: string | null): string {
  const key = zone ?? "";
  const format =
    days.get(key) ?? new Intl.DateTimeFormat("en-CA", { ...(zone && { timeZone: zone }) });
  days.set(key, format);
  return format.format(new Date(at));
}

/** Between "UTC-12" and "UTC+14", with minutes where a zone has them; it changes with the season. */
function offsetIn(at: Moment, zone: string | null): string {
  const key = zone ?? "";
  const format =
    offsets.get(key) ??
    new Intl.DateTimeFormat("en-US", {
      timeZoneName: "shortOffset",
      ...(zone && { timeZone: zone }),
    });
  offsets.set(key, format);
  const name = format.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName");
  return (name?.value ?? "GMT").replace("GMT", "UTC").replace(/\+0$/, "");
}

/** Making one is slow, and a list shows many moments in the same way. */
const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string | null, timeZone: string | null): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`;
  const made = formats.get(key);
  if (made) return made;
  const zone = timeZone === null ? {} : { timeZone };
  const format = new Intl.DateTimeFormat(locale ?? siteLocale, { ...parts, ...zone });
  formats.set(key, format);
  return format;
}

/** How long ago a moment was, in its largest unit: "12 s ago", "3 h ago", "2 days ago". */
export function formatAge(at: Moment, now: Moment): string {
  const seconds = Math.max(
    0,
    Math.floor((new Date(now).getTime() - new Date(at).getTime()) / 1000),
  );
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}
