/** The shapes in which a pool's file may come. */
export const poolFormats = ["braiins", "f2pool", "luxor", "other"] as const;
export type PoolFormat = (typeof poolFormats)[number];
