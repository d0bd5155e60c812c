import type { DayOfPool } from "../payout.ts";

/** Why a line of a pool's file cannot be recorded. */
export type LineFault =
  | "cut-off"
  | "not-a-day"
  | "not-a-utc-day"
  | "not-an-amount"
  | "more-than-exists"
  | "not-a-hashrate"
  | "hashrate-without-unit"
  | "not-a-txid"
  | "other-coin"
  | "twice-in-file"
  | "day-not-over"
  | "day-does-not-count";

export interface StatementLine {
  /** Its place in the file, from 1. */
  line: number;
  /** The cells as they stand there. */
  text: string;
  said: DayOfPool | null;
  fault: LineFault | null;
}
