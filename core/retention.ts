/** How long what visitors and customers leave with us is kept. Sweeps and the privacy policy both read it here. */
export const retention = {
  /** A thread that was answered or closed, after the last word in it. One that waits is kept until it is answered. */
  contactThreadDays: 365,
  contactSpamDays: 30,
  /** A newsletter address that nobody confirmed, after its link has expired. */
  unconfirmedSubscriptionDays: 7,
  /** The address of a former subscriber. When and how they agreed and left stays, without their name. */
  endedSubscriptionDays: 30,
  /** Identity documents after an approval, unless the operator is bound to another number: `VERIFICATION_DOCUMENT_DAYS`. */
  approvedDocumentDays: 30,
  /** Documents after a decision that declined, and those that were uploaded but never submitted. */
  unapprovedDocumentDays: 30,
  /** Who a customer was with whom there was business, after the account was closed: what laws on money laundering ask. */
  kycYears: 5,
  /** An export of a customer's data, after it was made. */
  dataExportDays: 7,
  /** A closed account can be opened again for so long; then what is personal is erased. */
  changeOfMindDays: 14,
  /**
   * The slips of a closed account, and the evidence of what it was given, after its erasure: longer than a dispute can
   * last by the terms.
   */
  closedAccountSlipDays: 90,
  /** The evidence of a gift that was rejected or withdrawn, after that. */
  declinedEvidenceDays: 90,
  /** The evidence of what was given or paid in, after it was decided: as long as laws on bookkeeping ask at the longest. */
  evidenceYears: 10,
} as const;
