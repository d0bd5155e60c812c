import type { GlossaryTerm } from "#core/text/glossary.ts";

/** What the glossary says of each word after its hint. */
export const glossaryTexts: Record<GlossaryTerm, string> = {
  hashrate:
    "Each guess is a hash: a calculation that may, with luck, complete a block. More hashrate means more guesses, and a larger share of what a pool pays.",
  ths: "1 TH/s is 1,000 GH/s; 1,000 TH/s are 1 PH/s. One modern machine makes 200 TH/s or more.",
  difficulty:
    "The network adjusts it every 2,016 blocks, about every 14 days, so that a block takes ten minutes on average.",
  "block-reward":
    "The subsidy halves every 210,000 blocks, about every four years. It has been 3.125 BTC since block 840,000.",
  pool: "Alone, a machine may wait for years to find a block. A pool pays daily and keeps a fee.",
  payout:
    "It comes with a transaction that anyone can look up, or with the pool's own statement. Without a payout there is no credit.",
  credit:
    "It is the payout times your hashrate, divided by the hashrate that shares it, rounded down to the satoshi.",
  "maintenance-fee":
    "It is set in dollars and paid in bitcoin at the day's price. It does not fall when mining earns less, so a day can end with a loss.",
  receipt:
    "Each contract has one for each day. Recompute repeats every step in your browser and compares the results to the satoshi.",
  reference:
    "It follows from difficulty, subsidy and fees. A credit far below it is a reason to ask us why.",
  served:
    "What was not delivered is added to the end of your contract at no charge. A term ends when all its days have been served.",
  uptime: "The calculator assumes 97 % unless you change it.",
  seal: "If anyone changed an older transfer, the seals after it would no longer match. Note one down and you can prove it.",
  "utc-day":
    "UTC is the world's reference time. Receipts, batches and notice periods count in UTC days.",
  confirmations: "A deposit is credited after the number that the deposit page states.",
  "network-fee":
    "You pay it for your deposit. We pay it for your withdrawal, out of one fixed fee.",
  satoshi: "Credits and fees are whole satoshi. What cannot be divided is carried to the next day.",
  "break-even":
    "Many contracts never reach it. The scenarios of each plan say when they would, or that they would not.",
};
