/** A span of hours in its natural unit, rounded up: "20 minutes", "5 hours", "3 days". */
export function hoursInWords(hours: number): string {
  if (hours < 1) return counted(Math.max(1, Math.ceil(hours * 60)), "minute");
  if (hours < 48) return counted(Math.ceil(hours), "hour");
  return counted(Math.ceil(hours / 24), "day");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
