import { units } from "#server/platform/database/read-rows.ts";

/** Of a run `r`: `core/mining/day-figures.ts`. */
export const dayFigureColumns = {
  payoutSats: units,
  carriedSats: units,
  distributableSats: units,
  deliveredGhs: units,
  activeGhs: units,
  sharedGhs: units,
  servedPpm: units,
};
