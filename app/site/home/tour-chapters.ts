/** One caption of the film in public/tour, and how long it is shown. */
interface Chapter {
  seconds: number;
  text: string;
}

/** The tour's captions in their order: also its transcript. */
export const chapters: readonly Chapter[] = [
  {
    seconds: 4,
    text: "This is a demo: everybody and every amount in it is invented.",
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
    text: "She states the amount and adds the payment slip. Until it is reviewed, this is a claim, not money.",
  },
  {
    seconds: 6,
    text: "The operator sees the claim beside its slip, and enters what really arrived, with its transaction.",
  },
  {
    seconds: 5,
    text: "Approving posts the coins to the journal and writes a line in the audit log, in one commit.",
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
    text: "Each mining day of a contract leaves a receipt, and her own browser works it out again.",
  },
  {
    seconds: 5,
    text: "And what staff did stays on record. Nobody can set a balance, the operator included.",
  },
];
