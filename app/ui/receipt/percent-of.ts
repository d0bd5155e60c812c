/** Millionths as a percentage of two places, rounded down. */
export function percentOf(ppm: bigint): string {
  return `${ppm / 10_000n}.${String((ppm % 10_000n) / 100n).padStart(2, "0")}%`;
}
