import { notFound, type Texts } from "#app/run-act.ts";
import { formatUsd } from "#core/money.ts";
import { maxDepositUsdCents } from "#core/payments/deposit.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const deposits: Texts = {
  "deposits/not-found": notFound,
  "deposits/already-reviewed": decided,
  "deposits/account-closed": "The customer's account is closed. Nothing was posted.",
  "deposits/payment-already-credited": {
    field: "txid",
    text: "This payment was credited to another deposit already. If it paid several, name the output",
  },
  "deposits/may-be-the-operators": {
    field: "txid",
    text: "This transaction is recorded already, as a payout or as the operator's own money. Nothing was posted",
  },
  "deposits/not-what-the-chain-shows": {
    field: "txid",
    text: "At a customer's own address the chain shows another customer, another amount, or a payment that two people resolved. If it paid several, name the output",
  },
  "deposits/quantity-out-of-range": { field: "quantity", text: "More than can exist, or nothing" },
  "deposits/amount-out-of-range": {
    field: "usd",
    text: `More than nothing, and at most ${formatUsd(maxDepositUsdCents)}`,
  },
  "deposits/not-a-txid": { field: "txid", text: "Not a transaction id" },
  "deposits/not-an-output": { field: "outputIndex", text: "Not an output" },
  "deposits/reason-missing": { field: "reason", text: "Write the reason that the customer reads" },
  "deposits/second-person-needed":
    "A colleague has to confirm this one by now. Nothing was posted. Look at it once more, and propose it.",
  "deposits/approval-proposed": meanwhile(
    "Its approval is proposed already. The page shows by whom.",
  ),
  "deposits/no-such-approval": decided,
  "deposits/own-approval": meanwhile(
    "You proposed this, so a colleague confirms it. Nothing was done.",
  ),
  "deposits/no-such-payment": notFound,
  "deposits/no-such-resolution": decided,
  "deposits/resolved-already": meanwhile(
    "Something is proposed for this payment already. The page shows what.",
  ),
  "deposits/credited-already": meanwhile(
    "This payment, or one of those that the proposal names, is credited. A credited payment can only be taken back as the operator's own. Nothing was done; decline the proposal.",
  ),
  "deposits/not-approved-by-staff": meanwhile(
    "Only a deposit that staff approved and that was not reversed since can be reversed like this. Nothing was done.",
  ),
  "deposits/covers-a-payout":
    "A payout of the pool stands on this coin. Correct the payout first; then it can be set aside.",
  "deposits/approved-together": meanwhile(
    "Staff approved one deposit for several payments of this transaction. Propose on the deposit's page that it was approved by mistake; we then credit automatically what is the customer's.",
  ),
  "deposits/own-resolution": meanwhile(
    "You proposed this, so a colleague confirms it. Nothing was done.",
  ),
  "deposits/proposer-left": meanwhile(
    "The colleague who proposed this has left the staff. Decline it and propose it yourself.",
  ),
};

/** Where what is proposed is chosen, too. */
export const resolutionForm: Texts = {
  "deposits/reason-missing": "Choose what it was, and write why in at most 1,000 characters.",
};
