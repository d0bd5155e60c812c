/** What one UTC day comes to for everybody: what was paid, by how much hashrate it is shared, and how much was served. */
export interface DayFigures {
  payoutSats: bigint;
  /** What the day before could not divide. */
  carriedSats: bigint;
  distributableSats: bigint;
  deliveredGhs: bigint;
  /** Of all contracts that ran. */
  activeGhs: bigint;
  /** The larger one of the two. */
  sharedGhs: bigint;
  servedPpm: bigint;
}
