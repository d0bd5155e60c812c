import type { PoolFormat } from "#core/mining/pool-formats.ts";

/**
 * Which columns of a pool's file say what, by their heads: small letters, without units. The first that is there counts.
 * An amount may be the sum of several columns, of which the first must be there.
 */
export interface Shape {
  day: string[];
  amount: string[][];
  hashrate: string[];
  txid: string[];
}

const txid = ["txid", "tx id", "transaction id", "transaction", "tx hash", "transaction hash"];
const hashrate = [
  "average hashrate",
  "avg hashrate",
  "daily average hashrate",
  "hashrate 24h",
  "24h hashrate",
  "daily hashrate",
  "hashrate",
];

export const shapes: Record<PoolFormat, Shape> = {
  // Daily rewards; the parts are those of the pool's API.
  braiins: {
    day: ["date", "day"],
    amount: [
      ["total reward"],
      ["total"],
      [
        "mining reward",
        "braiins os reward",
        "bos plus reward",
        "referral bonus",
        "referral reward",
      ],
    ],
    hashrate,
    txid,
  },
  // Revenue. The mining date is the day; the date beside it is when it was paid.
  f2pool: {
    day: ["mining date", "revenue date", "date", "day"],
    amount: [["amount total"], ["total revenue"], ["total amount"], ["revenue"], ["amount"]],
    hashrate,
    txid,
  },
  // Revenue by day: mining, and what the pool adds for referrals and firmware.
  luxor: {
    day: ["date", "date time", "day"],
    amount: [["mining", "referrals", "luxos"], ["total revenue"], ["revenue"], ["total"]],
    hashrate,
    txid,
  },
  other: {
    day: ["date", "day"],
    amount: [["amount"], ["total"], ["reward"], ["revenue"], ["payout"]],
    hashrate,
    txid,
  },
};

export const coinColumns = ["coin", "currency", "asset"];
export const unitColumns = ["hashrate unit", "unit"];

/** The head of a column: its name in small letters, and the unit that stands in it. "Hash Rate (PH/s)" is hashrate, PH/s. */
export function readHead(text: string): { name: string; unit: string | null } {
  const known = /[([]\s*(btc|sats?|satoshis?|[kmgtpe]?h\/s|utc|gmt)\s*[)\]]/i;
  const unit = known.exec(text)?.[1] ?? /\b(btc|sats?)$/i.exec(text.trim())?.[1] ?? null;
  const name = text
    .replace(known, " ")
    // Of a date only: in other heads what stands in parentheses says which of several figures it is.
    .replace(/^(.*\b(?:date|day)\b.*?)\s*[([].*$/i, "$1")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/\bhash rate\b/g, "hashrate")
    .trim()
    .replace(/ (btc|sats?)$/, "");
  return { name, unit };
}
