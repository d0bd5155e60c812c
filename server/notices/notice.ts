import type { Coin } from "#core/asset.ts";

/**
 * What a customer is told by mail. A notice carries the facts of its moment: the room that sends it knows
 * them, and a mail that leaves late must not say what became true later.
 */
export type Notice = DepositNotice | MaintenanceNotice;

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

/** Another maintenance fee for contracts that run. It is about what was agreed, so nobody can mute it. */
export interface MaintenanceNotice {
  kind: "maintenance-change" | "maintenance-change-withdrawn";
  changeId: string;
  planName: string;
  /** The first UTC day that costs it. */
  effectiveFrom: string;
  /** Of the customer's contracts that it concerns, together. */
  ghs: bigint;
  /** Of one TH/s for one day, in millionths of a dollar. */
  usdMicros: bigint;
  beforeUsdMicros: bigint;
  reason: string;
}

/** The same thing is told to somebody once: a notice with this key is not sent again. */
export function noticeKey(notice: Notice, customerId: string): string {
  if ("changeId" in notice) return `${notice.kind}:${notice.changeId}:${customerId}`;
  return `${notice.kind}:${notice.depositId}`;
}
