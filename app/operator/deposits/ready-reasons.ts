/** Where the reason of a rejection may start from. Each is to be made true for the case at hand. */
export const readyReasons = [
  {
    name: "Nothing arrived",
    text: "The payment has not arrived at our address. If you have sent it, please submit the slip again with the transaction id visible.",
  },
  {
    name: "Slip unreadable",
    text: "We could not read the slip. Please submit it again as a clear picture or PDF that shows amount, date and transaction id.",
  },
  {
    name: "Used before",
    text: "This slip was submitted before with another deposit. If you have made a second payment, please submit its own slip.",
  },
  {
    name: "Other address",
    text: "The slip shows a payment to an address that is not ours, so we have not received it. Please contact us before you send anything else.",
  },
];
