/** What was down and why, each once, as customers read it. */
export function outageReasons(
  outages: ReadonlyArray<{ siteName: string; reason: string }>,
): string[] {
  return [...new Set(outages.map(({ siteName, reason }) => `${siteName}: ${reason}`))];
}
