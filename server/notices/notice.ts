import type { Coin } from "#core/asset.ts";
import type { RunwayThreshold } from "#core/mining/runway.ts";
import type { GiftKind } from "#core/payments/adjustments.ts";

/**
 * What a customer is told, in his account and by mail. A notice carries the facts of its moment: the room that sends it knows
 * them, and a mail that leaves late must not say what became true later. Days and moments are ISO texts.
 */
export type Notice =
  | DepositNotice
  | WithdrawalNotice
  | AdjustmentNotice
  | MiningNotice
  | EndingNotice;

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
    }
  | {
      /** By a payment on chain, without a slip. */
      kind: "deposit-credited";
      depositId: string;
      method: string;
      asset: Coin;
      units: bigint;
      /** Null: no fresh price was there. */
      usdCents: bigint | null;
      txid: string;
    }
  | {
      /**
       * Its block left the chain, or two people found that it was the operator's own or approved by mistake: the credit is taken
       * back, or, orphaned, is to be when there is enough.
       */
      kind: "deposit-reversed" | "deposit-orphaned";
      depositId: string;
      method: string;
      asset: Coin;
      units: bigint;
      txid: string;
      /** Without it: its block left the chain. */
      because?: "left-the-chain" | "not-yours" | "mistake";
      /** What staff wrote of the mistake. */
      reason?: string;
    };

/** Without an asset it is of bitcoin: such may still wait from before other coins could leave. */
export type WithdrawalNotice =
  | {
      /** `units` is what arrives. */
      kind: "withdrawal-sent" | "withdrawal-settled";
      withdrawalId: string;
      asset?: Coin;
      units: bigint;
      address: string;
      txid: string;
    }
  | {
      /** `units` is what is available again. */
      kind: "withdrawal-rejected" | "withdrawal-returned";
      withdrawalId: string;
      asset?: Coin;
      units: bigint;
      address: string;
      reason: string;
    }
  | {
      kind: "withdrawal-expired";
      withdrawalId: string;
      asset?: Coin;
      units: bigint;
      address: string;
    }
  | {
      kind: "withdrawal-held";
      withdrawalId: string;
      holdId: string;
      asset?: Coin;
      units: bigint;
      address: string;
      reason: string;
      endsAt: string;
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

export type MiningNotice =
  | {
      /** About what was agreed and paid: nobody can mute it. */
      kind: "contract-bought";
      contractId: string;
      plan: string;
      quantity: number;
      ghs: bigint;
      startsOn: string;
      plannedLastDay: string;
      asset: Coin;
      units: bigint;
      usdCents: bigint;
      /** Until when it can be given back; null: it is no first one. */
      coolingOffUntil: string | null;
      /** Maintenance of the whole contract for one day; in bitcoin at the price of that moment, null without one. */
      dailyFeeUsdMicros: bigint;
      dailyFeeSats: bigint | null;
      /** What it comes to by the figures of that moment; null without a price or the network's difficulty. */
      expected: {
        minedSatsPerDay: bigint;
        minedUsdMicrosPerDay: bigint;
        /** Over the term, after maintenance and the price paid: the worst and the best of the scenarios. */
        worstUsdMicros: bigint;
        bestUsdMicros: bigint;
      } | null;
    }
  | {
      kind: "contract-given-back";
      contractId: string;
      plan: string;
      quantity: number;
      asset: Coin;
      units: bigint;
    }
  | {
      kind: "maintenance-clock";
      clockId: string;
      /** 1 at the start, 2 after a day, 3 after two. */
      nth: number;
      plan: string;
      unpaidSats: bigint;
      /** What has to arrive to stop it: fees of other contracts that are older are taken before. */
      missingSats: bigint;
      availableSats: bigint;
      expiresAt: string;
      /** What happens with the price of days not served. */
      termination: "refund-unserved" | "forfeit";
    }
  | {
      kind: "contract-ended";
      contractId: string;
      plan: string;
      reason: "served" | "unpaid-maintenance";
      lastDay: string;
      servedDays: number;
      termDays: number;
      asset: Coin;
      refundedUnits: bigint;
      forfeitedUnits: bigint;
    }
  | {
      /** The balance covers maintenance for so many days: an estimate, told before anything is unpaid. */
      kind: "maintenance-runway";
      customerId: string;
      threshold: RunwayThreshold;
      /** What was there: the newest contract, how many, and how often bitcoin had come in. With another it is told again. */
      of: string;
      days: number;
      availableSats: bigint;
      missingSats: bigint;
      endsOn: string;
    }
  | { kind: "inactivity-ahead"; noticeId: string; inactiveSince: string; firstFeeDay: string }
  | {
      kind: "mining-digest";
      customerId: string;
      fromDay: string;
      throughDay: string;
      days: number;
      creditSats: bigint;
      feeSats: bigint;
      /** In millionths of a dollar, each day at its own price. */
      creditUsdMicros: bigint;
      feeUsdMicros: bigint;
      /** Credits of as many days before; null: there was no contract then. */
      creditSatsBefore: bigint | null;
      /** The last seven days at most, oldest first. */
      lastDays: Array<{ day: string; creditSats: bigint }>;
    }
  | {
      /** Announced, or taken back before it came into force. About what was agreed: nobody can mute it. */
      kind: "maintenance-change" | "maintenance-change-withdrawn";
      changeId: string;
      customerId: string;
      plan: string;
      /** Of one TH/s for one day. */
      fromUsdMicros: bigint;
      toUsdMicros: bigint;
      effectiveFrom: string;
      reason: string;
    };

/** A contract ends within days: the same can be ordered again. */
export interface EndingNotice {
  kind: "contract-ending";
  contractId: string;
  plan: string;
  slug: string;
  quantity: number;
  coin: Coin;
  lastDay: string;
}

/** What asks for an act or changes what was agreed; everything else is a receipt of what happened. */
export const urgentKinds: ReadonlySet<string> = new Set<Notice["kind"]>([
  "maintenance-clock",
  "maintenance-change",
  "inactivity-ahead",
  "deposit-rejected",
  "deposit-reversed",
  "deposit-orphaned",
  "withdrawal-rejected",
  "withdrawal-returned",
  "withdrawal-expired",
  "withdrawal-held",
]);

/** The same thing is told once: a notice with this key is not sent again. */
export function noticeKey(notice: Notice): string {
  switch (notice.kind) {
    case "maintenance-clock":
      return `${notice.kind}:${notice.clockId}:${notice.nth}`;
    case "maintenance-runway":
      return `${notice.kind}:${notice.customerId}:${notice.of}:${notice.threshold}`;
    case "contract-bought":
    case "contract-given-back":
    case "contract-ended":
    case "contract-ending":
      return `${notice.kind}:${notice.contractId}`;
    case "inactivity-ahead":
      return `${notice.kind}:${notice.noticeId}`;
    case "mining-digest":
      return `${notice.kind}:${notice.customerId}:${notice.fromDay}:${notice.throughDay}`;
    case "maintenance-change":
    case "maintenance-change-withdrawn":
      return `${notice.kind}:${notice.changeId}:${notice.customerId}`;
    case "withdrawal-held":
      return `${notice.kind}:${notice.holdId}`;
    case "withdrawal-sent":
    case "withdrawal-settled":
    case "withdrawal-rejected":
    case "withdrawal-returned":
    case "withdrawal-expired":
      return `${notice.kind}:${notice.withdrawalId}`;
    case "adjustment-posted":
    case "adjustment-reversed":
      return `${notice.kind}:${notice.adjustmentId}`;
    default:
      return `${notice.kind}:${notice.depositId}`;
  }
}

/** Where in the account one sees what a notice is about. */
export function noticePath(notice: Notice): string {
  if ("depositId" in notice) return `/account/deposit/${notice.depositId}`;
  if ("withdrawalId" in notice) return `/account/withdraw/${notice.withdrawalId}`;
  if ("transferId" in notice) return `/account/evidence/${notice.transferId}`;
  if ("contractId" in notice) return `/account/mining/${notice.contractId}`;
  return "/account/mining";
}

/** The fields that are amounts: JSON has no bigint, so they travel as decimal strings. */
export const amountFields: ReadonlySet<string> = new Set([
  ...[
    "usdCents",
    "units",
    "unpaidSats",
    "missingSats",
    "availableSats",
    "refundedUnits",
    "forfeitedUnits",
  ],
  ...["ghs", "creditSats", "feeSats", "fromUsdMicros", "toUsdMicros"],
  ...["creditUsdMicros", "feeUsdMicros", "creditSatsBefore", "dailyFeeUsdMicros", "dailyFeeSats"],
  ...["minedSatsPerDay", "minedUsdMicrosPerDay", "worstUsdMicros", "bestUsdMicros"],
]);
