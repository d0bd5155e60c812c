/** A word of the trade: what a hint says of it in one breath, and what the glossary adds. */
export interface GlossaryEntry {
  /** As the glossary lists it. */
  term: string;
  hint: string;
  more: string;
}

/** By their names in addresses: `/glossary#difficulty`. In the order in which one follows from another. */
export const glossary = {
  hashrate: {
    term: "Hashrate",
    hint: "How many guesses a machine makes per second. Miners are paid in proportion to it.",
    more: "Each guess is a hash: a calculation that may, with luck, complete a block. More hashrate means more guesses, and a larger share of what a pool pays.",
  },
  ths: {
    term: "TH/s",
    hint: "Terahash per second: a million million guesses each second. The unit in which hashrate is sold.",
    more: "1 TH/s is 1,000 GH/s; 1,000 TH/s are 1 PH/s. One modern machine makes 200 TH/s or more.",
  },
  difficulty: {
    term: "Difficulty",
    hint: "How hard it is to find a block. When it rises, the same hashrate earns less.",
    more: "The network adjusts it every 2,016 blocks, about every 14 days, so that a block takes ten minutes on average.",
  },
  "block-reward": {
    term: "Block reward",
    hint: "What a block pays the miner who finds it: new coins (the subsidy) plus the fees of its transactions.",
    more: "The subsidy halves every 210,000 blocks, about every four years. It has been 3.125 BTC since block 840,000.",
  },
  pool: {
    term: "Pool",
    hint: "A service that combines the work of many miners and pays each for the hashrate it measured.",
    more: "Alone, a machine may wait for years to find a block. A pool pays daily and keeps a fee.",
  },
  payout: {
    term: "Payout",
    hint: "What a pool pays us for one day of mining.",
    more: "It comes with a transaction that anyone can look up, or with the pool's own statement. Without a payout there is no credit.",
  },
  credit: {
    term: "Credit",
    hint: "Your share of a payout, added to your balance.",
    more: "It is the payout times your hashrate, divided by the hashrate that shares it, rounded down to the satoshi.",
  },
  "maintenance-fee": {
    term: "Maintenance fee",
    hint: "What power, premises, cooling and care cost, per TH/s per day. We take it from your BTC balance.",
    more: "It is set in dollars and paid in bitcoin at the day's price. It does not fall when mining earns less, so a day can end with a loss.",
  },
  receipt: {
    term: "Receipt",
    hint: "Everything one day's credit and fee follow from, with its evidence. You can recompute it.",
    more: "Each contract has one for each day. Recompute repeats every step in your browser and compares the results to the satoshi.",
  },
  reference: {
    term: "Reference",
    hint: "What the network would have paid this hashrate that day. For comparison only: it is never credited.",
    more: "It follows from difficulty, subsidy and fees. A credit far below it is a reason to ask us why.",
  },
  served: {
    term: "Served",
    hint: "The share of a day for which the hashrate you bought was delivered.",
    more: "What was not delivered is added to the end of your contract at no charge. A term ends when all its days have been served.",
  },
  uptime: {
    term: "Uptime",
    hint: "The share of time in which the machines run. Downtime is the rest.",
    more: "The calculator assumes 97 % unless you change it.",
  },
  seal: {
    term: "Seal",
    hint: "A fingerprint (SHA-256) of all transfers since the last seal, and of that seal.",
    more: "If anyone changed an older transfer, the seals after it would no longer match. Note one down and you can prove it.",
  },
  "utc-day": {
    term: "UTC day",
    hint: "A mining day: from 00:00 to 24:00 UTC, wherever you live.",
    more: "UTC is the world's reference time. Receipts, batches and notice periods count in UTC days.",
  },
  confirmations: {
    term: "Confirmations",
    hint: "How many blocks, including its own, contain or follow your payment. More blocks make it harder to reverse.",
    more: "A deposit is credited after the number that the deposit page states.",
  },
  "network-fee": {
    term: "Network fee",
    hint: "What a blockchain charges for sending coins. It goes to miners or validators, not to us.",
    more: "You pay it for your deposit. We pay it for your withdrawal, out of one fixed fee.",
  },
  satoshi: {
    term: "Satoshi",
    hint: "The smallest part of a bitcoin: 0.00000001 BTC.",
    more: "Credits and fees are whole satoshi. What cannot be divided is carried to the next day.",
  },
  "break-even": {
    term: "Break-even",
    hint: "The day on which what was mined, less the maintenance fee, has covered the price.",
    more: "Many contracts never reach it. The scenarios of each plan say when they would, or that they would not.",
  },
} as const satisfies Record<string, GlossaryEntry>;

export type GlossaryTerm = keyof typeof glossary;
