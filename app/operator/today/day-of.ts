const days = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" },
});

/** A UTC day in text: "24 Nov 2026". */
export function dayOf(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}
