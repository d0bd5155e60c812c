/** The numbers of the terms. Text and engine both read them here, so they cannot disagree. */
export const terms = {
  minimumPasswordLength: 8,
  maximumPasswordLength: 128,
  minimumAge: 18,
  rememberedSessionDays: 30,
  forgottenSessionHours: 12,
  operatorInvitationHours: 24,
  resetLinkMinutes: 60,
  verificationLinkHours: 24,
  slipMaxBytes: 10 * 1024 * 1024,
  /** Nothing is valued or converted with an older price. */
  priceMaxAgeMinutes: 10,
  /** Of amounts in dollars. */
  shownDecimals: 2,
  newProfileProfitUsdCents: 0n,
  minimumWithdrawalSats: 70_000n,
  /** When a mining day begins, in UTC. Coins are credited once for each. */
  miningDayStartsAt: "00:00",
  /** How long a quoted price of a contract is firm. */
  quoteSeconds: 30,
  /** How long a first contract can be given back. */
  coolingOffHours: 24,
  /** A request of one UTC day is in the batch of this many days later. */
  withdrawalProcessedAfterDays: 1,
  /** A contract whose maintenance fee the balance does not cover for this long is cancelled. */
  unpaidMaintenanceDays: 3,
  terminationClauseHours: 72,
  maintenanceChangeNoticeDays: 7,
  /** The fixed daily fee, in millionths of the BTC balance: 137 are 0.0137%. */
  inactivityFeePerMillion: 137n,
  inactivityFeeMinimumSats: 685n,
  /** Days without an active contract before that fee. */
  inactivityAfterDays: 30,
  /** How many days ahead the first such fee is told. */
  inactivityNoticeDays: 7,
  cardHoldDays: 30,
  disputeRaisedWithinDays: 30,
  disputeOfferWithinDays: 30,
  disputeRejectionWithinDays: 14,
  liabilityCapUsdCents: 10_000n,
  forceMajeureMonths: 6,
} as const;

/** What the browser waits for, in milliseconds. */
export const delays = {
  signInRedirectMs: 2000,
  navigationSpinnerMs: 3000,
  copyConfirmationMs: 2000,
  toastMs: 3000,
  noticeToastMs: 5000,
  carouselMs: 5000,
  widgetInjectionMs: 100,
} as const;

/** Page sizes a table offers. */
export const pageSizes = [10, 25, 50, 100] as const;

/** Width at and below which the account's sidebar stays open with its labels. */
export const sidebarBreakpointPx = 768;

/** The coins of the ticker tape, in its order. */
export const tickerSymbols = ["BTC", "ETH", "XRP", "DOGE", "SOL"] as const;

/** All of them, for texts that must name each one. */
export const constants = { terms, delays, pageSizes, sidebarBreakpointPx, tickerSymbols } as const;

/** The same shape with any values: what texts are written from, and what tests change. */
export type Constants = Widened<typeof constants>;

type Widened<T> = T extends number
  ? number
  : T extends bigint
    ? bigint
    : T extends string
      ? string
      : { readonly [Key in keyof T]: Widened<T[Key]> };
