/** What "Next day" has done so far. */
export interface RehearsalProgress {
  /** The UTC day that it goes to, or went to, in words. */
  to: string;
  state: "running" | "done" | "failed";
  /** What was begun, the last one being under way. */
  steps: string[];
  /** What came of it, or why it failed; null while it runs. */
  result: string | null;
}

/** What the worker has to do in a morning takes ten seconds, and a minute on a machine that does much else. */
export const morningLastsMs = 180_000;

/**
 * A business that is tried out on a chain and a clock of its own: `npm run rehearse`. No ordinary installation has one, and
 * nothing in it can move the clock.
 */
export interface Rehearsal {
  /** Null: the clock has not been moved since the start. */
  readonly progress: RehearsalProgress | null;
  /** How many days the clock is ahead. */
  readonly daysAhead: number;
  /** Begins to go to the same time of the next day. While it goes, nothing happens. */
  beginNextDay(): void;
  /** An address of a wallet elsewhere, as customers have: to withdraw to. */
  newAddress(): Promise<string>;
  /** Pays from that wallet; it waits for a block. */
  pay(address: string, sats: bigint): Promise<string>;
  /** Three blocks, as in half an hour. */
  mineBlocks(): Promise<void>;
  /** Addresses of the operator's wallet as the wallet itself shows them, from the first on. */
  listOperatorAddresses(): Promise<string[]>;
  /** BTC, as decimals: in the wallet that customers pay to, and in the one that a pool without an address pays to. */
  readHoldings(): Promise<{ hot: string; cold: string }>;
  /** As the operator's wallet signs. */
  sign(psbt: string): Promise<string>;
}
