import type { Texts } from "#app/run-act.ts";

/** Of what takes the operator's own money, or takes back what a customer was given. */
export const ledger: Texts = {
  "ledger/insufficient-equity":
    "The operator's own money in this coin does not suffice. Nothing was posted. Pay in more own money first.",
  "ledger/customers-not-covered":
    "This is more than the operator's own money in this coin: customers' coins would not be covered. Nothing was posted.",
  "ledger/insufficient-balance":
    "The customer has used the money since, so it cannot be taken back. Nothing was posted.",
};
