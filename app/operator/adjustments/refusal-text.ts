import { passkeyNeeded } from "../passkey-needed.ts";

const texts: Record<string, string> = {
  "adjustments/already-decided": "This was decided while you looked at it.",
  "adjustments/own-proposal": "You proposed this. Somebody else must decide.",
  "adjustments/proposer-left":
    "Who proposed this is not on the staff any more. Reject it and propose it yourself.",
  "adjustments/not-your-proposal": "Only who proposed it can take it back.",
  "adjustments/account-closed":
    "This account is closed, so nothing can be given to it. Nothing was done.",
  "adjustments/payment-already-counted":
    "This transaction was counted already: as a customer's deposit, or as own money. Nothing was done.",
  "adjustments/batch-books-it":
    "This is the transaction of a batch. Its network fee is booked with the batch. Nothing was done.",
  "adjustments/fee-missing":
    "Enter the network fee. We could not read it from a node: the transaction is not in a block yet, or no node shows it.",
  "adjustments/fee-out-of-range": "Check the network fee: it is far larger than any usual one.",
  "adjustments/fee-differs":
    "The chain shows another network fee. Leave the field empty to take it from the chain.",
  "adjustments/transaction-failed":
    "The chain shows that this transaction failed and moved nothing. If it cost a fee, book that as a move between own wallets.",
  "adjustments/amount-not-on-chain":
    "The transaction's outputs pay less than this amount. Check both.",
  "adjustments/reversal-proposed": "Taking this back was proposed already.",
  "adjustments/not-reversible": "Only what was approved can be taken back, and a reversal cannot.",
  "adjustments/no-such-customer": "No customer has this address or id.",
  "adjustments/reason-missing": "Write the reason.",
  "adjustments/too-long": "The words are too long.",
  "adjustments/evidence-missing": "Choose a picture or a PDF that shows why.",
  "adjustments/evidence-not-found": "The file is no longer there. Choose it again.",
  "adjustments/submission-key-reused":
    "This form was sent already with other content, and that proposal waits. If this is another one, send it again.",
  "ledger/insufficient-equity":
    "The operator's own money in this coin does not suffice. Nothing was posted. Somebody has to pay in more first.",
  "ledger/customers-not-covered":
    "This is more than the operator's own money in this coin: customers' coins would not be covered. Nothing was posted.",
  "ledger/insufficient-balance":
    "The customer has used the money since, so it cannot be taken back. Nothing was posted.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
  "identity/passkey-needed": passkeyNeeded,
  "identity/not-permitted": "Your role may not do this any more. Nothing was done.",
};

/** Why an act on an adjustment was refused. */
export function refusalText(code: string): string {
  return texts[code] ?? "This was refused. Nothing was done.";
}
