/** Why what an offline signer gave back is not what was to be signed. */
export type SignedFault =
  | { code: "unreadable" }
  | { code: "not-signed" }
  /** What differs, in words for staff. */
  | { code: "another-payment"; differences: string[] };
