import { expect, test } from "vitest";
import { termWords } from "./term-words.ts";
import { constants } from "./terms.ts";

test("says the constants as the specification does", () => {
  expect(termWords()).toMatchObject({
    minimumPasswordLength: "8 characters",
    minimumAge: "18",
    minimumWithdrawal: "0.0007 BTC",
    miningDayStart: "00:00 UTC",
    withdrawalProcessing: "the next day (UTC)",
    unpaidMaintenance: "3 days",
    terminationClause: "72 hours",
    inactivityFee: "0.0137%",
    inactivityFeeMinimum: "0.00000685 BTC",
    inactivityAfter: "30 days",
    maintenanceChangeNotice: "7 days",
    cardHold: "30 days",
    disputeRaisedWithin: "30 days",
    disputeOfferWithin: "30 days",
    disputeRejectionWithin: "14 days",
    liabilityCap: "$100",
    forceMajeure: "6 months",
    newProfileProfit: "$0.00",
    signInRedirect: "2 seconds",
    widgetInjection: "100 ms",
    pageSizes: "10, 25, 50 or 100",
    sidebarBreakpoint: "768px",
    tickerSymbols: "BTC, ETH, XRP, DOGE and SOL",
  });
});

test("three days and the termination clause are the same time", () => {
  expect(constants.terms.unpaidMaintenanceDays * 24).toBe(constants.terms.terminationClauseHours);
});

test("follows a changed constant to the last digit", () => {
  const terms = {
    ...constants.terms,
    minimumWithdrawalSats: 100_000_001n,
    inactivityFeePerMillion: 10_000n,
    liabilityCapUsdCents: 12_345n,
    forceMajeureMonths: 1,
    withdrawalProcessedAfterDays: 2,
  };
  expect(termWords({ ...constants, terms })).toMatchObject({
    minimumWithdrawal: "1.00000001 BTC",
    inactivityFee: "1%",
    liabilityCap: "$123.45",
    forceMajeure: "1 month",
    withdrawalProcessing: "2 days later (UTC)",
  });
});
