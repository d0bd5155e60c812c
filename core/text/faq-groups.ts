/** The headings of the questions, in their order. `more`: questions that an operator added. */
export const faqGroups = {
  service: "The service",
  account: "Your account",
  deposits: "Deposits",
  mining: "Mining and its costs",
  withdrawals: "Withdrawals and custody",
  checks: "Checking us, and disputes",
  more: "More questions",
} as const;
export type FaqGroup = keyof typeof faqGroups;
