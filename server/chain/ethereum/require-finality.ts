import type { Network } from "#core/payments/address.ts";
import type { KnownBlock } from "../chain-reader.ts";
import { SourceIncident } from "../source-health.ts";

/** The newest final block is 13 to 19 minutes old where two thirds of the validators agree. Test networks have lost that for long. */
const finalWithinHours: Record<Network, number | null> = { mainnet: 1, testnet: 6, regtest: null };

/**
 * Holds credits back while blocks come and none becomes final: then the validators disagree, and each of two branches may
 * still lose.
 *
 * @throws SourceIncident `not-finalizing`
 */
export function requireFinality({ height, time }: KnownBlock, network: Network, now: Date): void {
  const hours = finalWithinHours[network];
  if (hours === null || now.getTime() - time.getTime() <= hours * 3_600_000) return;
  throw new SourceIncident(
    "not-finalizing",
    `the newest final block is ${height}, from ${time.toISOString()}`,
  );
}
