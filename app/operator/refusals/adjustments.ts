import { notFound, type Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const adjustments: Texts = {
  "adjustments/not-found": notFound,
  "adjustments/already-decided": decided,
  "adjustments/own-proposal": "You proposed this, so a colleague decides it. Nothing was done.",
  "adjustments/proposer-left":
    "The colleague who proposed this has left the staff. Reject it and propose it yourself.",
  "adjustments/not-your-proposal":
    "Only the colleague who proposed this can cancel it. Nothing was done.",
  "adjustments/account-closed": {
    field: "customer",
    text: "This account is closed, so nothing can be given to it. Nothing was done.",
  },
  "adjustments/no-such-customer": {
    field: "customer",
    text: "No customer has this address or id.",
  },
  "adjustments/payment-already-counted": {
    field: "txid",
    text: "This transaction was counted already: as a customer's deposit, or as own money. Nothing was done.",
  },
  "adjustments/batch-books-it": {
    field: "txid",
    text: "This is the transaction of a batch. Its network fee is booked with the batch. Nothing was done.",
  },
  "adjustments/transaction-failed": {
    field: "txid",
    text: "The chain shows that this transaction failed and moved nothing. If it cost a fee, book that as a move between own wallets.",
  },
  "adjustments/not-a-txid": { field: "txid", text: "A transaction id has 64 hexadecimal digits" },
  "adjustments/amount-out-of-range": {
    field: "amount",
    text: "This is more than can exist, or nothing. Check the decimal point.",
  },
  "adjustments/amount-not-on-chain": {
    field: "amount",
    text: "The transaction's outputs pay less than this amount. Check both.",
  },
  "adjustments/fee-missing": {
    field: "fee",
    text: "Enter the network fee. We could not read it from a node: the transaction is not in a block yet, or no node shows it.",
  },
  "adjustments/fee-out-of-range": {
    field: "fee",
    text: "Check the network fee: it is far larger than any usual one.",
  },
  "adjustments/fee-differs": {
    field: "fee",
    text: "The chain shows another network fee. Leave the field empty to take it from the chain.",
  },
  "adjustments/reversal-proposed": meanwhile(
    "A reversal of this is proposed already. The page shows it.",
  ),
  "adjustments/not-reversible":
    "Only an approved adjustment can be reversed, and a reversal cannot. Nothing was done.",
  "adjustments/reason-missing": { field: "reason", text: "Write the reason." },
  "adjustments/too-long": "The text is too long. Nothing was done. Shorten it and send it again.",
  "adjustments/evidence-missing": {
    field: "evidence",
    text: "Choose a picture or a PDF that shows why.",
  },
  "adjustments/evidence-not-found": {
    field: "evidence",
    text: "The file is no longer there. Choose it again.",
  },
};
