/**
 * The words of the trade and what a hint says of each, by their names in addresses: `/glossary#difficulty`. In the order in which one
 * follows from another. The glossary adds a sentence to each: app/site/faq/glossary-texts.ts.
 */
export const glossary = {
  hashrate: {
    term: "Hashrate",
    hint: "How many guesses a machine makes per second. Miners are paid in proportion to it.",
  },
  ths: {
    term: "TH/s",
    hint: "Terahash per second: a million million guesses each second. The unit in which hashrate is sold.",
  },
  difficulty: {
    term: "Difficulty",
    hint: "How hard it is to find a block. When it rises, the same hashrate earns less.",
  },
  "block-reward": {
    term: "Block reward",
    hint: "What a block pays the miner who finds it: new coins (the subsidy) plus the fees of its transactions.",
  },
  pool: {
    term: "Pool",
    hint: "A service that combines the work of many miners and pays each for the hashrate it measured.",
  },
  payout: {
    term: "Payout",
    hint: "What a pool pays us for one day of mining.",
  },
  credit: {
    term: "Credit",
    hint: "Your share of a payout, added to your balance.",
  },
  "maintenance-fee": {
    term: "Maintenance fee",
    hint: "What power, premises, cooling and care cost, per TH/s per day. We take it from your BTC balance.",
  },
  receipt: {
    term: "Receipt",
    hint: "Everything one day's credit and fee follow from, with its evidence. You can recompute it.",
  },
  reference: {
    term: "Reference",
    hint: "What the network would have paid this hashrate that day. For comparison only: it is never credited.",
  },
  served: {
    term: "Served",
    hint: "The share of a day for which the hashrate you bought was delivered.",
  },
  uptime: {
    term: "Uptime",
    hint: "The share of time in which the machines run. Downtime is the rest.",
  },
  seal: {
    term: "Seal",
    hint: "A fingerprint (SHA-256) of all transfers since the last seal, and of that seal.",
  },
  "utc-day": {
    term: "UTC day",
    hint: "A mining day: from 00:00 to 24:00 UTC, wherever you live.",
  },
  confirmations: {
    term: "Confirmations",
    hint: "How many blocks, including its own, contain or follow your payment. More blocks make it harder to reverse.",
  },
  "network-fee": {
    term: "Network fee",
    hint: "What a blockchain charges for sending coins. It goes to miners or validators, not to us.",
  },
  satoshi: {
    term: "Satoshi",
    hint: "The smallest part of a bitcoin: 0.00000001 BTC.",
  },
  "break-even": {
    term: "Break-even",
    hint: "The day on which what was mined, less the maintenance fee, has covered the price.",
  },
} as const satisfies Record<string, { term: string; hint: string }>;

export type GlossaryTerm = keyof typeof glossary;
