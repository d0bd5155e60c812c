/** So many of its periods may pass before it is said that nobody asked, and five minutes at least. */
const fewPeriods = 5;
const leastMs = 5 * 60_000;

/** Whether a question that recurs was not asked for long: its last answer then says nothing of the present. */
export function isSilent(askedAt: Date, periodSeconds: number, now: Date): boolean {
  return now.getTime() - askedAt.getTime() > Math.max(fewPeriods * periodSeconds * 1000, leastMs);
}
