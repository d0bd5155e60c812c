import type { TermWords } from "../term-words.ts";
import { type LegalSection, sections } from "./legal-document.ts";

/** Every constant of the service once more, so that a reader need not search for one. */
export function numbersSections(w: TermWords): LegalSection[] {
  return sections({
    numbers: [
      "The numbers of these terms",
      "The site's program reads the same numbers from the same place as this text.",
      { head: ["What", "How much", "Section"], rows: agreed(w) },
    ],
    behaviour: [
      "How the pages behave",
      "You gain no right from these; we list them so that no number of the site is hidden.",
      { head: ["What", "How much"], rows: behaviour(w) },
    ],
  });
}

function agreed(w: TermWords): string[][] {
  const row = (what: string, howMuch: string, id: string, title: string) => [
    what,
    howMuch,
    `[${title}](#${id})`,
  ];
  return [
    row("Minimum age", `${w.minimumAge} years`, "eligibility", "Requirements"),
    row(
      "Password length",
      `at least ${w.minimumPasswordLength}, at most ${w.maximumPasswordLength}`,
      "account",
      "Your account",
    ),
    row(
      "Signed in with Remember Me, or without it",
      `${w.rememberedSession}; ${w.forgottenSession} at most`,
      "account",
      "Your account",
    ),
    row("Link that verifies an address", w.verificationLink, "account", "Your account"),
    row("Link that resets a password", w.resetLink, "account", "Your account"),
    row("Largest payment slip", w.slipMaxSize, "deposits", "Deposits"),
    row(
      "Oldest price that values anything",
      w.priceMaxAge,
      "availability",
      "When the site is down",
    ),
    row("Hold after a purchase by card", `up to ${w.cardHold}`, "cards", "Purchases by card"),
    row("We hold a quoted price for", w.quote, "contracts", "Contracts"),
    row("You can return a first contract for", w.coolingOff, "contracts", "Contracts"),
    row("Mining starts, coins are credited daily", w.miningDayStart, "contracts", "Contracts"),
    row("Notice of a changed maintenance fee", w.maintenanceChangeNotice, "maintenance", "Fee"),
    row(
      "Maintenance fee not covered until cancellation",
      `${w.unpaidMaintenance} (termination clause: ${w.terminationClause})`,
      "maintenance",
      "Cancellation",
    ),
    row(
      "Fixed daily fee without an active contract",
      `${w.inactivityFee}, not less than ${w.inactivityFeeMinimum}`,
      "inactivity",
      "Fixed daily fee",
    ),
    row("That fee begins after", w.inactivityAfter, "inactivity", "Fixed daily fee"),
    row("Minimum withdrawal", w.minimumWithdrawal, "withdrawals", "Withdrawals"),
    row("Withdrawal requests are processed", w.withdrawalProcessing, "withdrawals", "Withdrawals"),
    row("A dispute is raised within", w.disputeRaisedWithin, "disputes", "Disputes"),
    row("An offer is made within", w.disputeOfferWithin, "disputes", "Disputes"),
    row("An offer is rejected within", w.disputeRejectionWithin, "disputes", "Disputes"),
    row("Limit of liability", w.liabilityCap, "liability", "Liability"),
    row(
      "Force majeure ends the agreement",
      `over ${w.forceMajeure}`,
      "force-majeure",
      "Force majeure",
    ),
  ];
}

function behaviour(w: TermWords): string[][] {
  return [
    ["After signing in or registering, the dashboard opens", `after ${w.signInRedirect}`],
    ["The small spinner in the navigation bar is shown for", w.navigationSpinner],
    ["Amounts in dollars are shown with", w.shownDecimals],
    ["The Account Profit of a new account", w.newProfileProfit],
    ["The carousel of the landing page moves on every", w.carousel],
    ["“Copied to clipboard!” is shown for", w.copyConfirmation],
    ["Messages on deposits, sign-out and reset close after", w.toast],
    ["Other messages close after", w.noticeToast],
    ["Tables show, by choice", `${w.pageSizes} rows`],
    ["The account's sidebar stays open at a width of", `${w.sidebarBreakpoint} or less`],
    ["The ticker tape shows", w.tickerSymbols],
    [
      "A charting provider's own charts, only where the operator offers them and you consent, are loaded after",
      w.widgetInjection,
    ],
  ];
}
