/** The shapes in which a pool's file may come. */
export const poolFormats = ["braiins", "f2pool", "luxor", "other"] as const;
export type PoolFormat = (typeof poolFormats)[number];

/** How the formats are called. */
export const poolFormatNames: Record<PoolFormat, string> = {
  braiins: "Braiins Pool",
  f2pool: "F2Pool",
  luxor: "Luxor",
  other: "Another, with day, hashrate and amount",
};
