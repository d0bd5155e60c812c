/** How long something still lasts, to the minute and rounded up: "23 hours 5 minutes", "1 minute". */
export function hoursAndMinutes(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const parts = [counted(Math.floor(minutes / 60), "hour"), counted(minutes % 60, "minute")];
  return parts.filter((part) => part !== null).join(" ");
}

function counted(count: number, unit: string): string | null {
  if (count === 0) return null;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
