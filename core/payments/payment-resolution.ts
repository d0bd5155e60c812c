/**
 * What two people say of a payment at a customer's address: it is the customer's and is credited, it was the operator's own, or it is
 * set aside: nothing is credited, and nobody is asked again.
 */
export type PaymentResolution = "customers" | "operators" | "set-aside";
/** Or of a deposit that staff approved: that it was a mistake. */
export type Resolution = PaymentResolution | "mistaken";
export const paymentResolutions = ["customers", "operators", "set-aside"] as const;

export const resolutionTerms = { reasonMax: 1000 } as const;
