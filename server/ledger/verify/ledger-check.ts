/** One thing that must be true of the ledger, and whether it is. */
export interface LedgerCheck {
  claim: string;
  holds: boolean;
  /** How much was looked at; of a claim that does not hold, how much is wrong and the first of it. */
  detail: string;
}

/** A seal that somebody kept outside of this database. */
export interface KeptSeal {
  number: string;
  /** Hexadecimal. */
  hash: string;
}
