import { terms } from "../terms.ts";

/** The fee of one day without an active contract on a BTC balance, in satoshi. It never reaches below the minimum withdrawal. */
export function inactivitySats(balanceSats: bigint): bigint {
  const share = (balanceSats * terms.inactivityFeePerMillion) / 1_000_000n;
  const fee = share > terms.inactivityFeeMinimumSats ? share : terms.inactivityFeeMinimumSats;
  const most = balanceSats - terms.minimumWithdrawalSats;
  if (most <= 0n) return 0n;
  return fee < most ? fee : most;
}
