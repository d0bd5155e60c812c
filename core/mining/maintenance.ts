/**
 * A contract's maintenance fee for one day in satoshi, rounded down.
 *
 * @param usdMicrosPerThs of one TH/s for one day, in millionths of a dollar
 * @param btcUsdE8 dollars for one bitcoin, in 10^-8 dollars
 */
export function maintenanceSats(ghs: bigint, usdMicrosPerThs: bigint, btcUsdE8: bigint): bigint {
  // GH/s / 1000 x micros / 10^6 dollars / (e8 / 10^8 dollars) x 10^8 sats
  return (ghs * usdMicrosPerThs * 10_000_000n) / btcUsdE8;
}

/** What satoshi are worth in millionths of a dollar, rounded towards zero. */
export function usdMicros(sats: bigint, btcUsdE8: bigint): bigint {
  // sats / 10^8 x e8 / 10^8 dollars x 10^6 micros
  return (sats * btcUsdE8) / 10_000_000_000n;
}
