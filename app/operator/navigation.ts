import { may, type OperatorRole, type Permission } from "#core/permissions.ts";
import { type Work, type WorkKind, workKinds } from "#server/console/today/work.ts";

interface Entry {
  name: string;
  to: string;
  reads: Permission;
  /** What waits there. All of it is in one list, which the entry leads to while there is any. */
  work?: WorkKind[];
}

interface Group {
  name: string;
  entries: Entry[];
}

/** The console's pages. One that is not here is found from one that is. */
const groups: Group[] = [
  {
    name: "Money",
    entries: [
      { name: "Deposits", to: "/operator/deposits", reads: "deposits/read", work: ["deposits"] },
      {
        name: "Withdrawals",
        to: "/operator/withdrawals",
        reads: "withdrawals/read",
        work: ["withdrawals", "paymentExceptions", "paymentExceptionResolutions"],
      },
      {
        name: "Batches",
        to: "/operator/withdrawals/batches",
        reads: "withdrawals/read",
        work: ["batchesDue", "batchesToSign", "batchesToSend", "batchEndings"],
      },
      {
        name: "Adjustments",
        to: "/operator/adjustments",
        reads: "adjustments/read",
        work: ["adjustments"],
      },
      {
        name: "Reconciliation",
        to: "/operator/reconciliation",
        reads: "reconciliation/read",
        work: ["counts", "countsDue", "differences"],
      },
      {
        name: "Chain",
        to: "/operator/chain",
        reads: "chain/read",
        work: ["resolutions", "refusedPayments", "orphanedDeposits", "reorgs", "reorgFindings"],
      },
      { name: "Wallets", to: "/operator/wallets", reads: "chain/read", work: ["arrivals"] },
      { name: "Business", to: "/operator/business", reads: "business/read" },
    ],
  },
  {
    name: "Mining",
    entries: [
      { name: "Days", to: "/operator/mining", reads: "mining/read" },
      {
        name: "Contracts",
        to: "/operator/mining/contracts",
        reads: "mining/read",
        work: ["setApart"],
      },
      {
        name: "Payouts",
        to: "/operator/payouts",
        reads: "payouts/read",
        work: ["payoutsToVouch", "payouts", "payoutDifferences"],
      },
      { name: "Plans", to: "/operator/plans", reads: "plans/read" },
      { name: "Fleet", to: "/operator/fleet", reads: "fleet/read" },
    ],
  },
  {
    name: "People",
    entries: [
      { name: "Customers", to: "/operator/customers", reads: "customers/read" },
      {
        name: "Verification",
        to: "/operator/verification",
        reads: "kyc/read",
        work: ["verifications"],
      },
      { name: "Messages", to: "/operator/messages", reads: "contact/read", work: ["messages"] },
      { name: "Staff", to: "/operator/staff", reads: "staff/read", work: ["staffChanges"] },
    ],
  },
  {
    name: "Site",
    entries: [
      { name: "Content", to: "/operator/content", reads: "content/read", work: ["testimonials"] },
      { name: "Newsletter", to: "/operator/newsletter", reads: "newsletter/read" },
    ],
  },
  {
    name: "System",
    entries: [
      { name: "Health", to: "/operator/health", reads: "console/read" },
      { name: "Markets", to: "/operator/markets", reads: "markets/read" },
      { name: "Mail", to: "/operator/mail", reads: "mail/list", work: ["mails"] },
      { name: "Jobs", to: "/operator/jobs", reads: "jobs/read", work: ["jobs"] },
      { name: "Audit log", to: "/operator/audit", reads: "audit/read" },
    ],
  },
];

export interface NavigationEntry {
  name: string;
  /** Its own address, and the one that its link leads to: the list of what waits, while anything does. */
  home: string;
  to: string;
  /** How much waits there. */
  count: number;
}

export interface NavigationGroup {
  name: string;
  entries: NavigationEntry[];
}

/** The parts of the console that a role may open, each with how much waits there. */
export function navigationFor(role: OperatorRole, work: Work[]): NavigationGroup[] {
  return groups.flatMap(({ name, entries }) => {
    const open = entries.filter(({ reads }) => may(role, reads));
    return open.length === 0 ? [] : [{ name, entries: open.map((each) => entryFor(each, work)) }];
  });
}

function entryFor({ name, to, work: kinds = [] }: Entry, work: Work[]): NavigationEntry {
  const waiting = work.filter(({ kind }) => kinds.includes(kind));
  const [first] = waiting;
  return {
    name,
    home: to,
    to: first ? workKinds[first.kind].to : to,
    count: waiting.reduce((sum, { count }) => sum + count, 0),
  };
}
