import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const contracts: Texts = {
  "contracts/no-such-version": notFound,
  "contracts/too-early": {
    field: "effectiveFrom",
    text: "At least 7 days ahead, at 00:00 UTC",
  },
  "contracts/day-taken": {
    field: "effectiveFrom",
    text: "Another change is announced for this day",
  },
  "contracts/implausible-maintenance": {
    field: "fee",
    text: "Between $0 and $10 per TH/s per day",
  },
  "contracts/nothing-to-change": {
    field: "fee",
    text: "The fee on that day is this one already",
  },
  "contracts/second-person-needed": {
    field: "fee",
    text: "One person changes a version's fee by at most half, and once in four weeks. Nothing was announced. A colleague can announce the next step",
  },
  "contracts/reason-names-address": {
    field: "reason",
    text: "Customers read this, so it names no address of a wallet",
  },
  "contracts/change-below-another":
    "A later change is announced on top of this one. It was not cancelled. Cancel the later one first.",
  "contracts/short-notice":
    "This change lowers the fee within seven days, so customers count on it. It was not cancelled. Announce another change instead.",
  "contracts/reason-missing": { field: "reason", text: "Write the reason, as customers read it" },
  "contracts/no-such-change": "This change is not there any more. Nothing was done.",
  "contracts/change-cancelled": meanwhile(
    "This form announced its change before, and it was cancelled since. Nothing was announced now. Send it again to announce it anew.",
  ),
  "contracts/change-in-force": meanwhile(
    "This change is in force already. It was not cancelled. Announce another one instead.",
  ),
};
