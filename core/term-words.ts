import { formatUsd, toDecimal } from "./money.ts";
import { type Constants, constants } from "./terms.ts";

export type TermWords = ReturnType<typeof termWords>;

/**
 * The numbers of the terms as texts say them: `minimumWithdrawal` is "0.0007 BTC". Legal texts, questions and
 * answers, and pages take their numbers from here, so that no sentence can disagree with the engine.
 */
export function termWords({
  terms,
  delays,
  pageSizes,
  sidebarBreakpointPx,
  tickerSymbols,
}: Constants = constants) {
  return {
    minimumPasswordLength: count(terms.minimumPasswordLength, "character"),
    maximumPasswordLength: count(terms.maximumPasswordLength, "character"),
    minimumAge: `${terms.minimumAge}`,
    rememberedSession: count(terms.rememberedSessionDays, "day"),
    forgottenSession: count(terms.forgottenSessionHours, "hour"),
    resetLink: count(terms.resetLinkMinutes, "minute"),
    verificationLink: count(terms.verificationLinkHours, "hour"),
    slipMaxSize: `${terms.slipMaxBytes / (1024 * 1024)} MB`,
    shownDecimals: count(terms.shownDecimals, "decimal"),
    newProfileProfit: formatUsd(terms.newProfileProfitUsdCents),
    minimumWithdrawal: btc(terms.minimumWithdrawalSats),
    priceMaxAge: count(terms.priceMaxAgeMinutes, "minute"),
    miningDayStart: `${terms.miningDayStartsAt} UTC`,
    quote: count(terms.quoteSeconds, "second"),
    coolingOff: count(terms.coolingOffHours, "hour"),
    withdrawalProcessing: later(terms.withdrawalProcessedAfterDays),
    unpaidMaintenance: count(terms.unpaidMaintenanceDays, "day"),
    terminationClause: count(terms.terminationClauseHours, "hour"),
    maintenanceChangeNotice: count(terms.maintenanceChangeNoticeDays, "day"),
    inactivityFee: percentOfMillionths(terms.inactivityFeePerMillion),
    inactivityFeeMinimum: btc(terms.inactivityFeeMinimumSats),
    inactivityAfter: count(terms.inactivityAfterDays, "day"),
    inactivityNotice: inWords(terms.inactivityNoticeDays, "day"),
    cardHold: count(terms.cardHoldDays, "day"),
    disputeRaisedWithin: count(terms.disputeRaisedWithinDays, "day"),
    disputeOfferWithin: count(terms.disputeOfferWithinDays, "day"),
    disputeRejectionWithin: count(terms.disputeRejectionWithinDays, "day"),
    liabilityCap: formatUsd(terms.liabilityCapUsdCents).replace(/\.00$/, ""),
    forceMajeure: count(terms.forceMajeureMonths, "month"),
    signInRedirect: seconds(delays.signInRedirectMs),
    navigationSpinner: seconds(delays.navigationSpinnerMs),
    copyConfirmation: seconds(delays.copyConfirmationMs),
    toast: seconds(delays.toastMs),
    noticeToast: seconds(delays.noticeToastMs),
    carousel: seconds(delays.carouselMs),
    widgetInjection: `${delays.widgetInjectionMs} ms`,
    pageSizes: inARow(pageSizes.map(String), "or"),
    sidebarBreakpoint: `${sidebarBreakpointPx}px`,
    tickerSymbols: inARow(tickerSymbols, "and"),
  };
}

/** "seven days"; above ten in figures. */
function inWords(value: number, unit: string): string {
  const words = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
  ];
  const [figures = "", ...rest] = count(value, unit).split(" ");
  return [words[value] ?? figures, ...rest].join(" ");
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function seconds(ms: number): string {
  return count(ms / 1000, "second");
}

/** "0.0007 BTC": all its digits, no trailing zeros. */
function btc(sats: bigint): string {
  return `${toDecimal(sats, "BTC").replace(/\.?0+$/, "")} BTC`;
}

/** 137 millionths are "0.0137%", without a float on the way. */
function percentOfMillionths(millionths: bigint): string {
  const digits = millionths.toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, "").concat("%");
}

function later(days: number): string {
  return days === 1 ? "the next day (UTC)" : `${count(days, "day")} later (UTC)`;
}

function inARow(words: readonly string[], last: string): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(` ${last} `);
}
