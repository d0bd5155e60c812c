import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { type AdjustmentKind, feeCoinOf } from "#core/payments/adjustments.ts";

/** Evidence that no proposal uses is given up after this long. */
export const draftLifeMs = 24 * 3600 * 1000;

/** What the audit log keeps of an adjustment: enough to understand it, without the words of the note. */
export function auditDetail(adjustment: {
  kind: AdjustmentKind;
  asset: Coin;
  units: bigint;
  reason: string;
  txid: string | null;
  feeUnits: bigint | null;
  reverses: string | null;
}) {
  const { kind, asset, units, reason, txid, feeUnits, reverses } = adjustment;
  const feeCoin = feeCoinOf(asset);
  const fee = feeUnits !== null && { fee: `${formatAmount(feeUnits, feeCoin)} ${feeCoin}` };
  return { kind, amount: `${formatAmount(units, asset)} ${asset}`, reason, txid, ...fee, reverses };
}
