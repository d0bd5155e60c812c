import type { Refusal } from "#core/refusal.ts";

/** What a form says when the business declines a review: at the field that can mend it, or at its head. */
export function sayRefusal(refusal: Refusal): {
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
} {
  switch (refusal.code) {
    case "deposits/payment-already-credited":
      return {
        fieldErrors: {
          txid: [
            "This payment was credited to another deposit already. If it paid several, name the output",
          ],
        },
      };
    case "deposits/not-what-the-chain-shows":
      return {
        fieldErrors: {
          txid: [
            "At a customer's own address the chain shows another customer, another amount, or a payment that two people ruled on. If it paid several, name the output",
          ],
        },
      };
    case "deposits/quantity-out-of-range":
      return { fieldErrors: { quantity: ["More than can exist, or nothing"] } };
    case "deposits/amount-out-of-range":
      return { fieldErrors: { usd: ["Out of range"] } };
    case "deposits/not-a-txid":
      return { fieldErrors: { txid: ["Not a transaction id"] } };
    case "deposits/not-an-output":
      return { fieldErrors: { outputIndex: ["Not an output"] } };
    case "deposits/reason-missing":
      return { fieldErrors: { reason: ["Write the reason that the customer reads"] } };
    case "identity/operator-not-active":
      return { formErrors: ["Your right to act was taken away a moment ago. Nothing was done."] };
    default:
      return { formErrors: ["This was refused. Nothing was posted."] };
  }
}
