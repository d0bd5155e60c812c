import { referenceSats } from "#core/mining/reference.ts";
import { moment, orNull, type RowOf, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";

/** What the network would have paid a hashrate on a day. */
export interface Reference {
  observedAt: Date;
  difficulty: bigint;
  subsidySats: bigint;
  feesPerBlockSats: bigint;
  sats: bigint;
}

/** Of a run `r`: what was known of the network on its day. */
export const referenceColumns = {
  networkObservedAt: orNull(moment),
  difficulty: orNull(units),
  subsidySats: orNull(units),
  feesPerBlockSats: orNull(units),
};

/** Who was asked about it. */
export const networkHost = sql.raw(
  "(select n.host from network_figures n where n.observed_at = r.network_observed_at) as network_host",
);

/** Null: the network was not asked on that day. */
export function asReference(row: RowOf<typeof referenceColumns>, ghs: bigint): Reference | null {
  const { networkObservedAt: observedAt, difficulty, subsidySats, feesPerBlockSats } = row;
  if (!observedAt || difficulty === null || subsidySats === null || feesPerBlockSats === null) {
    return null;
  }
  const sats = referenceSats(ghs, difficulty, subsidySats, feesPerBlockSats);
  return { observedAt, difficulty, subsidySats, feesPerBlockSats, sats };
}
