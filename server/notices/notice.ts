import type { GiftKind } from "#core/adjustments.ts";
import type { Coin } from "#core/asset.ts";

/**
 * What a customer is told by mail. A notice carries the facts of its moment: the room that sends it knows
 * them, and a mail that leaves late must not say what became true later.
 */
export type Notice = DepositNotice | AdjustmentNotice;

export type DepositNotice =
  | { kind: "deposit-received"; depositId: string; method: string; usdCents: bigint }
  | {
      kind: "deposit-approved";
      depositId: string;
      method: string;
      usdCents: bigint;
      asset: Coin;
      units: bigint;
    }
  | {
      kind: "deposit-rejected";
      depositId: string;
      method: string;
      usdCents: bigint;
      reason: string;
    };

export type AdjustmentNotice =
  | {
      kind: "adjustment-posted";
      adjustmentId: string;
      transferId: string;
      gift: GiftKind;
      asset: Coin;
      units: bigint;
      reason: string;
    }
  | {
      kind: "adjustment-reversed";
      adjustmentId: string;
      transferId: string;
      asset: Coin;
      units: bigint;
      reason: string;
    };

/** The same thing is told once: a notice with this key is not sent again. */
export function noticeKey(notice: Notice): string {
  return `${notice.kind}:${"depositId" in notice ? notice.depositId : notice.adjustmentId}`;
}
