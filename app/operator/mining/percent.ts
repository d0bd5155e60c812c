/** Parts per million as a percentage with a sign and one place: -12_345n is "−1.2 %". */
export function signedPercent(ppm: bigint): string {
  const tenths = (ppm < 0n ? -ppm : ppm) / 1000n;
  const sign = ppm < 0n ? "−" : ppm > 0n ? "+" : "";
  return `${sign}${tenths / 10n}.${tenths % 10n} %`;
}
