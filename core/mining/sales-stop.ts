/** Why nothing is sold, as PostgreSQL's `sales_stop` says it. */
export const salesStops = ["coins-missing", "proof-old", "not-counted"] as const;
export type SalesStop = (typeof salesStops)[number];

/** What customers are told. */
export const salesStopWords: Record<SalesStop, string> = {
  "coins-missing": "A wallet count found less than our records show.",
  "proof-old": "There is no proof of what we owe from the last 72 hours.",
  "not-counted":
    "We owe customers a coin that was never counted in our wallets, so we cannot show that it is there.",
};

/** What staff do about it. */
export const salesStopRemedies: Record<SalesStop, string> = {
  "coins-missing": "Pay in what is missing, and count the wallets again.",
  "proof-old":
    "The job proof/publish-days says what keeps it from publishing; while a mining day is being posted, it waits. Sales go on with the next proof.",
  "not-counted": "Count the wallets of each coin, and have the count confirmed.",
};
