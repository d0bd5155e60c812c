import { may, type OperatorRole, type Permission } from "#core/permissions.ts";

interface WorkFacts {
  /** What it is called, of one and of many, as it follows a number. */
  words: readonly [one: string, many: string];
  /** The list that holds exactly these. */
  to: string;
  reads: Permission;
  /** What it takes to decide one; whoever proposed it does not. */
  decides: Permission;
}

/** Everything that waits for a person of the staff. Kinds of one part of the console share its list: their sum is its badge. */
export const workKinds = {
  deposits: {
    words: ["deposit to review", "deposits to review"],
    to: "/operator/deposits",
    reads: "deposits/read",
    decides: "deposits/approve",
  },
  withdrawals: {
    words: ["withdrawal to approve", "withdrawals to approve"],
    to: "/operator/withdrawals",
    reads: "withdrawals/read",
    decides: "withdrawals/approve",
  },
  paymentExceptions: {
    words: ["sent payment to look into", "sent payments to look into"],
    to: "/operator/withdrawals",
    reads: "withdrawals/read",
    decides: "withdrawals/propose-resolution",
  },
  paymentExceptionResolutions: {
    words: ["finding about a sent payment to confirm", "findings about sent payments to confirm"],
    to: "/operator/withdrawals",
    reads: "withdrawals/read",
    decides: "withdrawals/confirm-resolution",
  },
  batchesDue: {
    words: ["batch to form", "batches to form"],
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    decides: "withdrawals/form-batch",
  },
  batchesToSign: {
    words: ["batch to sign", "batches to sign"],
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    decides: "withdrawals/upload-signed",
  },
  batchesToSend: {
    words: ["signed batch to send", "signed batches to send"],
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    decides: "withdrawals/order-broadcast",
  },
  batchEndings: {
    words: ["proposal to end a batch", "proposals to end a batch"],
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    decides: "withdrawals/confirm-abandonment",
  },
  adjustments: {
    words: ["adjustment to approve", "adjustments to approve"],
    to: "/operator/adjustments",
    reads: "adjustments/read",
    decides: "adjustments/approve",
  },
  counts: {
    words: ["wallet count to confirm", "wallet counts to confirm"],
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    decides: "reconciliation/confirm-count",
  },
  countsDue: {
    words: ["coin to count", "coins to count"],
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    decides: "reconciliation/count",
  },
  differences: {
    words: ["difference to explain", "differences to explain"],
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    decides: "reconciliation/explain",
  },
  resolutions: {
    words: ["finding about a payment to confirm", "findings about payments to confirm"],
    to: "/operator/chain",
    reads: "chain/read",
    decides: "deposits/confirm-resolution",
  },
  refusedPayments: {
    words: ["payment that cannot be credited", "payments that cannot be credited"],
    to: "/operator/chain",
    reads: "chain/read",
    decides: "deposits/propose-resolution",
  },
  orphanedDeposits: {
    words: ["credit that cannot be reversed yet", "credits that cannot be reversed yet"],
    to: "/operator/chain",
    reads: "chain/read",
    decides: "adjustments/propose",
  },
  reorgs: {
    words: ["deep reorganisation to look into", "deep reorganisations to look into"],
    to: "/operator/chain",
    reads: "chain/read",
    decides: "chain/propose-deep-reorg",
  },
  reorgFindings: {
    words: [
      "finding about a deep reorganisation to confirm",
      "findings about deep reorganisations to confirm",
    ],
    to: "/operator/chain",
    reads: "chain/read",
    decides: "chain/confirm-deep-reorg",
  },
  arrivals: {
    words: ["arrival of your own to record", "arrivals of your own to record"],
    to: "/operator/wallets",
    reads: "chain/read",
    decides: "payouts/enter",
  },
  setApart: {
    words: ["mining error of one customer", "mining errors of single customers"],
    to: "/operator/mining/contracts",
    reads: "mining/read",
    decides: "mining/retry-customer",
  },
  payoutsToVouch: {
    words: ["payout read from a pool to check", "payouts read from pools to check"],
    to: "/operator/payouts?state=proposed",
    reads: "payouts/read",
    decides: "payouts/vouch",
  },
  payouts: {
    words: ["payout to confirm", "payouts to confirm"],
    to: "/operator/payouts?state=proposed",
    reads: "payouts/read",
    decides: "payouts/confirm",
  },
  payoutDifferences: {
    words: [
      "payout that a pool now reports differently",
      "payouts that pools now report differently",
    ],
    to: "/operator/payouts?state=proposed",
    reads: "payouts/read",
    decides: "payouts/correct",
  },
  verifications: {
    words: ["identity check to decide", "identity checks to decide"],
    to: "/operator/verification",
    reads: "kyc/read",
    decides: "kyc/approve",
  },
  messages: {
    words: ["message to answer", "messages to answer"],
    to: "/operator/messages",
    reads: "contact/read",
    decides: "contact/reply",
  },
  staffChanges: {
    words: ["staff proposal to confirm", "staff proposals to confirm"],
    to: "/operator/staff",
    reads: "staff/read",
    decides: "identity/confirm-staff-change",
  },
  testimonials: {
    words: ["testimonial to read", "testimonials to read"],
    to: "/operator/content/testimonials?state=agreed",
    reads: "content/read",
    decides: "content/publish-testimonial",
  },
  mails: {
    words: ["e-mail that could not be sent", "e-mails that could not be sent"],
    to: "/operator/mail?state=failed",
    reads: "mail/list",
    decides: "mail/resend",
  },
  jobs: {
    words: ["job that was given up", "jobs that were given up"],
    to: "/operator/jobs",
    reads: "jobs/read",
    decides: "jobs/retry",
  },
} as const satisfies Record<string, WorkFacts>;

export type WorkKind = keyof typeof workKinds;

/** What waits of a kind and the same people may not decide, since they proposed it. */
export interface WorkPart {
  barred: string[];
  count: number;
  /** How many payments batches to form would make; of other kinds as many as there are. */
  things: number;
  oldestAt: Date;
}

/** How much of one kind waits. */
export interface Work extends Omit<WorkPart, "barred"> {
  kind: WorkKind;
  parts: WorkPart[];
}

export function toWork(kind: WorkKind, parts: WorkPart[]): Work {
  const sum = (of: "count" | "things") => parts.reduce((all, part) => all + part[of], 0);
  const oldestAt = new Date(Math.min(...parts.map((part) => part.oldestAt.getTime())));
  return { kind, parts, count: sum("count"), things: sum("things"), oldestAt };
}

/** No list is counted further: a badge then says 999+. */
export const mostCounted = 1000;

/** What of the work a role may see. */
export function workFor(role: OperatorRole, work: Work[]): Work[] {
  return work.filter(({ kind }) => may(role, workKinds[kind].reads));
}

/** The work without what somebody proposed, so that others must decide; null: they proposed all of it. */
export function withoutOwn({ kind, parts }: Work, operatorId: string): Work | null {
  const others = parts.filter(({ barred }) => !barred.includes(operatorId));
  return others.length === 0 ? null : toWork(kind, others);
}

/** Whether somebody may decide some of it, other than what they proposed. */
export function mayDecide({ id, role }: { id: string; role: OperatorRole }, work: Work): boolean {
  return withoutOwn(work, id) !== null && may(role, workKinds[work.kind].decides);
}

/** "3 deposits to review"; "1 batch to form, with 4 payments". */
export function sayWork({ kind, count, things }: Work): string {
  const [one, many] = workKinds[kind].words;
  const said = `${sayCount(count)} ${count === 1 ? one : many}`;
  if (kind !== "batchesDue") return said;
  return `${said}, with ${things === 1 ? "1 payment" : `${sayCount(things)} payments`}`;
}

export function sayCount(count: number): string {
  return count < mostCounted ? String(count) : `${mostCounted - 1}+`;
}
