import { creditSats } from "./credit.ts";
import { maintenanceSats } from "./maintenance.ts";
import type { ReceiptFigures } from "./recompute-receipt.ts";
import { referenceSats } from "./reference.ts";

const network = {
  difficulty: 150_000_000_000_000n,
  subsidySats: 312_500_000n,
  feesPerBlockSats: 0n,
};
const [ghs, fleetGhs, payoutSats] = [100_000n, 100_000_000n, 4_190_950n];
const [maintenanceUsdMicros, btcUsdE8] = [34_000n, 10_000_000_000_000n];

/** A day in round, invented figures: what the landing page's steps and, until a pool has paid, its sample receipt show. */
export const exampleReceipt: ReceiptFigures = {
  ghs,
  payoutSats,
  carriedSats: 0n,
  distributableSats: payoutSats,
  deliveredGhs: fleetGhs,
  activeGhs: fleetGhs,
  sharedGhs: fleetGhs,
  servedPpm: 1_000_000n,
  creditSats: creditSats(payoutSats, ghs, fleetGhs),
  feeSats: maintenanceSats(ghs, maintenanceUsdMicros, btcUsdE8),
  maintenanceUsdMicros,
  btcUsdE8,
  reference: {
    ...network,
    sats: referenceSats(ghs, network.difficulty, network.subsidySats, network.feesPerBlockSats),
  },
  evidence: [{ pool: "Example pool", units: payoutSats, deliveredGhs: fleetGhs, coins: null }],
  corrections: [],
};
