type Moment = Date | string;

const parts: Intl.DateTimeFormatOptions = {
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};
const utc = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" });

/** A moment in UTC, to the minute: "21 Nov 2026, 02:12 UTC". */
export function formatUtc(at: Moment): string {
  return `${utc.format(new Date(at))} UTC`;
}

/** A moment where the reader is, to the minute: "21 Nov 2026, 03:12". Only for the browser. */
export function formatLocal(at: Moment): string {
  return new Intl.DateTimeFormat("en-GB", parts).format(new Date(at));
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
