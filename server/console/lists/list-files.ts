import { writeThs } from "#core/mining/hashrate.ts";
import { toDecimal } from "#core/money.ts";
import {
  adjustmentKinds,
  adjustmentKindWords,
  adjustmentStates,
} from "#core/payments/adjustments.ts";
import { coinOfMethod, depositStates } from "#core/payments/deposit.ts";
import type { Permission } from "#core/permissions.ts";
import { listAdjustments } from "#server/adjustments/list-adjustments.ts";
import { listPendingDeposits } from "#server/deposits/list-pending-deposits.ts";
import { listPayouts } from "#server/payouts/list-payouts.ts";
import { payoutStates } from "#server/payouts/payout.ts";
import type { Tx } from "#server/platform/database.ts";
import { listHoldings } from "#server/reconciliation/list-holdings.ts";
import { listBatches } from "#server/withdrawals/batches/list-batches.ts";
import {
  listWithdrawalQueue,
  type WithdrawalQueue,
  withdrawalQueues,
} from "#server/withdrawals/list-withdrawal-queue.ts";
import { listDecidedDeposits } from "../deposits/list-decided-deposits.ts";
import { listMiningDays } from "../mining/list-mining-days.ts";

/** What the address of a list's page asks for. */
export interface ListFilter {
  state: string;
  kind: string;
  search: string;
}

interface ListFile {
  /** Who may read the list's page. */
  reads: Permission;
  columns: string[];
  /** As many rows as the file holds, in the order of the page. */
  rows: (tx: Tx, filter: ListFilter, limits: { limit: number; now: Date }) => Promise<string[][]>;
}

/** The lists of the console that can be taken away, each as its page shows it: the same reader, the same filters. */
export const listFiles = {
  deposits: {
    reads: "deposits/read",
    columns: [
      ...["deposit", "state", "customer", "customer id", "method", "declared for", "sent (UTC)"],
      ...["claimed USD", "USD", "quantity", "coin", "reason", "decided (UTC)", "decided by"],
    ],
    rows: async (tx, filter, { limit }) => {
      const state = depositStates.find((known) => known === filter.state) ?? "pending";
      if (state === "pending") {
        const pending = await listPendingDeposits(tx, { limit });
        return pending.map((each) => [
          ...[each.depositId, state, `${each.customerFirstName} ${each.customerLastName}`],
          ...[each.customerId, each.method, each.declaredOn ?? "", at(each.createdAt)],
          ...[usd(each.claimedUsdCents), "", "", coinOfMethod[each.method], "", "", ""],
        ]);
      }
      const decided = await listDecidedDeposits(tx, { state, limit });
      return decided.map((each) => {
        const coin = coinOfMethod[each.method];
        const quantity = each.quantityUnits === null ? "" : toDecimal(each.quantityUnits, coin);
        return [
          ...[each.depositId, state, each.customerName, each.customerId, each.method, ""],
          ...[at(each.createdAt), usd(each.claimedUsdCents), usd(each.usdCents), quantity, coin],
          ...[each.rejectionReason ?? "", at(each.reviewedAt), each.reviewerName ?? "its payment"],
        ];
      });
    },
  },
  withdrawals: {
    reads: "withdrawals/read",
    columns: [
      ...["withdrawal", "state", "customer", "customer id", "coin", "taken", "fee", "arrives"],
      ...["address", "asked for (UTC)", "leaves on", "ended (UTC)", "transaction"],
    ],
    rows: async (tx, { state, search }, { limit, now }) => {
      const known = Object.keys(withdrawalQueues) as WithdrawalQueue[];
      const queue = known.find((each) => each === state) ?? "confirmed";
      const found = await listWithdrawalQueue(tx, { queue, search, limit }, now);
      return found.map((each) => [
        ...[each.id, each.state, each.customerName ?? "", each.customerId, each.asset],
        ...[each.units, each.feeUnits, each.units - each.feeUnits].map((units) =>
          toDecimal(units, each.asset),
        ),
        ...[
          each.address,
          at(each.requestedAt),
          each.dueOn ?? "",
          at(each.endedAt),
          each.txid ?? "",
        ],
      ]);
    },
  },
  batches: {
    reads: "withdrawals/read",
    columns: [
      "batch",
      "day",
      "chain",
      "purpose",
      "state",
      "payments",
      "BTC",
      "ETH",
      "USDT",
      "formed (UTC)",
      "by",
      "ended (UTC)",
    ],
    rows: async (tx, _, { limit }) => {
      const batches = await listBatches(tx, limit);
      return batches.map((each) => [
        ...[each.id, each.day, each.chain, each.purpose, each.state, String(each.payments)],
        ...(["BTC", "ETH", "USDT"] as const).map((coin) =>
          toDecimal(each.totals[coin] ?? 0n, coin),
        ),
        ...[at(each.formedAt), each.formedBy ?? "", at(each.endedAt)],
      ]);
    },
  },
  adjustments: {
    reads: "adjustments/read",
    columns: [
      ...["adjustment", "state", "kind", "customer", "customer id", "coin", "amount", "reason"],
      ...[
        "proposed (UTC)",
        "proposed by",
        "decided (UTC)",
        "decided by",
        "why rejected",
        "transfer",
      ],
    ],
    rows: async (tx, { state: asked, kind: askedKind, search }, { limit }) => {
      const state = adjustmentStates.find((known) => known === asked) ?? "open";
      const kind = adjustmentKinds.find((known) => known === askedKind);
      const found = await listAdjustments(tx, { state, kind, search, limit });
      return found.map((each) => [
        ...[each.id, each.state, adjustmentKindWords[each.kind], each.customerName ?? ""],
        ...[each.customerId ?? "", each.asset, toDecimal(each.units, each.asset), each.reason],
        ...[at(each.proposedAt), each.proposerName, at(each.decidedAt), each.deciderName ?? ""],
        ...[each.rejectionReason ?? "", each.transferId ?? ""],
      ]);
    },
  },
  payouts: {
    reads: "payouts/read",
    columns: [
      ...["payout", "day", "pool", "state", "BTC", "delivered TH/s", "transaction", "statement"],
      ...["statement SHA-256", "corrects", "proposed (UTC)", "proposed by", "decided by"],
    ],
    rows: async (tx, filter, { limit }) => {
      const state = payoutStates.find((known) => known === filter.state);
      const found = await listPayouts(tx, { ...(state && { state }), limit });
      return found.map((each) => [
        ...[each.id, each.day, each.poolName, each.state, toDecimal(each.units, "BTC")],
        ...[writeThs(each.deliveredGhs), each.txid ?? "", each.statementName ?? ""],
        ...[each.statementSha256 ?? "", each.corrects ?? "", at(each.proposedAt)],
        ...[each.proposedBy ?? "the worker", each.decidedBy ?? ""],
      ]);
    },
  },
  days: {
    reads: "mining/read",
    columns: [
      ...["day", "pools", "with payout", "paid BTC", "delivered TH/s", "reference BTC"],
      ...["credited BTC", "contracts", "customers", "posted (UTC)"],
    ],
    rows: async (tx, _, { now }) => {
      const { days } = await listMiningDays(tx, { days: mostDays, now });
      return days.map(({ run, ...each }) => [
        ...[each.day, String(each.pools), String(each.recorded), toDecimal(each.payoutSats, "BTC")],
        writeThs(each.deliveredGhs),
        run?.reference ? toDecimal(run.reference.sats, "BTC") : "",
        run ? toDecimal(run.creditedSats, "BTC") : "",
        ...[String(run?.contracts ?? ""), String(run?.customers ?? ""), at(run?.postedAt ?? null)],
      ]);
    },
  },
  counts: {
    reads: "reconciliation/read",
    columns: [
      ...["as of (UTC)", "coin", "on chain", "in the ledger", "difference", "block", "by"],
      ...["recorded (UTC)", "explanation", "explained by"],
    ],
    rows: async (tx, _, { limit }) => {
      const found = await listHoldings(tx, limit);
      return found.map((each) => [
        ...[at(each.asOf), each.asset],
        ...[each.units, each.custodyUnits, each.units - each.custodyUnits].map((units) =>
          toDecimal(units, each.asset),
        ),
        ...[String(each.blockHeight ?? ""), each.source === "count" ? "two people" : "the watcher"],
        ...[at(each.recordedAt), each.explanation ?? "", each.explainerName ?? ""],
      ]);
    },
  },
} satisfies Record<string, ListFile>;

export type ListName = keyof typeof listFiles;

/** A year and what is left of the month before. */
const mostDays = 400;

function at(moment: Date | null): string {
  return moment?.toISOString() ?? "";
}

function usd(cents: bigint | null): string {
  return cents === null ? "" : toDecimal(cents, "USD");
}
