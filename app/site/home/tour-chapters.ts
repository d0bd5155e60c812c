/** One caption of the film in public/tour, and how long it is shown. */
interface Chapter {
  seconds: number;
  text: string;
}

/** The tour's captions in their order: also its transcript. */
export const chapters: readonly Chapter[] = [
  {
    seconds: 4,
    text: "This is a demo: every person and amount in it is invented.",
  },
  {
    seconds: 6,
    text: "The first page explains, step by step, how a pool's payment becomes a credit.",
  },
  {
    seconds: 6,
    text: "A customer chooses a method and finds the address to pay to, with a button that copies it.",
  },
  {
    seconds: 5,
    text: "The customer states the amount and adds the payment slip. Until our review this is a claim, not money.",
  },
  {
    seconds: 6,
    text: "The operator compares the claim with its slip, and enters what really arrived, with its transaction.",
  },
  {
    seconds: 5,
    text: "Approving posts the coins to the ledger and writes a line in the audit log, in one commit.",
  },
  {
    seconds: 6,
    text: "The customer's dashboard: Deposit, Account Profit and Total Sum. Each figure carries a stamp.",
  },
  {
    seconds: 6,
    text: "The stamp opens the figure's evidence: the entries behind it, balanced to the last unit.",
  },
  {
    seconds: 6,
    text: "Each mining day of a contract has a receipt, which the customer's browser recomputes.",
  },
  {
    seconds: 5,
    text: "Every staff act stays on record. No one can set a balance, the operator included.",
  },
];
