import { usdMicros } from "./maintenance.ts";
import { referenceSats } from "./reference.ts";

/** What one TH/s costs for one day by the price of a plan alone, in millionths of a dollar, rounded up. */
export function pricePerThsDay(plan: {
  priceUsdCents: bigint;
  unitGhs: bigint;
  termDays: number;
}): bigint {
  const thsDaysMilli = plan.unitGhs * BigInt(plan.termDays);
  return (plan.priceUsdCents * 10_000_000n + thsDaysMilli - 1n) / thsDaysMilli;
}

/** What the network pays one TH/s for a day at this difficulty, in millionths of a dollar. */
export function networkPaysPerThsDay(
  network: { difficulty: bigint; subsidySats: bigint; feesPerBlockSats: bigint },
  btcUsdE8: bigint,
): bigint {
  const petahash = 1_000_000n;
  const sats = referenceSats(
    petahash,
    network.difficulty,
    network.subsidySats,
    network.feesPerBlockSats,
  );
  return usdMicros(sats, btcUsdE8) / 1000n;
}
