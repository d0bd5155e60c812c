/** What a day's payouts are shared by: the hashrate that was delivered, or all that was sold when that is more. */
export function sharedGhs(deliveredGhs: bigint, activeGhs: bigint): bigint {
  return deliveredGhs > activeGhs ? deliveredGhs : activeGhs;
}

/**
 * What a contract earned on a day, in satoshi, rounded down. `distributableSats` is what the pools paid for the day and
 * the remainder of the day before.
 */
export function creditSats(distributableSats: bigint, ghs: bigint, ofGhs: bigint): bigint {
  return ofGhs === 0n ? 0n : (distributableSats * ghs) / ofGhs;
}

/** A whole day of service, in parts per million. */
export const wholeDayPpm = 1_000_000n;

/** How much of a day was served to every contract: less than all of it when less was delivered than sold. */
export function servedPpm(deliveredGhs: bigint, activeGhs: bigint): bigint {
  if (deliveredGhs >= activeGhs) return wholeDayPpm;
  return (deliveredGhs * wholeDayPpm) / activeGhs;
}
