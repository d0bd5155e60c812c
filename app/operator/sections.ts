import { may, type OperatorRole, type Permission } from "#core/permissions.ts";
import type { WaitingWork } from "#server/console/queries.ts";

interface Section {
  name: string;
  to: string;
  reads: Permission;
  /** Which addresses belong to the section, when not simply those below `to`. */
  pages?: RegExp;
  /** What of its work waits for somebody, and the word for it. */
  waits?: { count: Exclude<keyof WaitingWork, "oldestDepositAt">; of: string };
}

const sections: Section[] = [
  {
    name: "Deposits",
    to: "/operator",
    reads: "deposits/read",
    // The queue is the console's first page, and its cases have addresses of their own.
    pages: /^\/operator(\/deposits\/.*)?\/?$/,
    waits: { count: "deposits", of: "waiting" },
  },
  {
    name: "Withdrawals",
    to: "/operator/withdrawals",
    reads: "withdrawals/read",
    waits: { count: "withdrawals", of: "waiting" },
  },
  {
    name: "Adjustments",
    to: "/operator/adjustments",
    reads: "adjustments/read",
    waits: { count: "adjustments", of: "waiting" },
  },
  {
    name: "Reconciliation",
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    waits: { count: "reconciliations", of: "waiting" },
  },
  { name: "Customers", to: "/operator/customers", reads: "customers/read" },
  {
    name: "Verification",
    to: "/operator/verification",
    reads: "verification/read",
    waits: { count: "verifications", of: "waiting" },
  },
  {
    name: "Mining",
    to: "/operator/mining",
    reads: "mining/read",
    waits: { count: "customersApart", of: "set apart" },
  },
  { name: "Fleet", to: "/operator/fleet", reads: "fleet/read" },
  { name: "Plans", to: "/operator/plans", reads: "plans/read" },
  {
    name: "Payouts",
    to: "/operator/payouts",
    reads: "payouts/read",
    waits: { count: "payouts", of: "to confirm" },
  },
  {
    name: "Messages",
    to: "/operator/messages",
    reads: "contact/read",
    waits: { count: "messages", of: "waiting" },
  },
  { name: "Newsletter", to: "/operator/newsletter", reads: "newsletter/read" },
  {
    name: "Content",
    to: "/operator/content",
    reads: "content/read",
    waits: { count: "testimonials", of: "to read" },
  },
  {
    name: "News",
    to: "/operator/news",
    reads: "news/read",
    // Not the newsletter's.
    pages: /^\/operator\/news(\/|$)/,
    waits: { count: "failingFeeds", of: "failing" },
  },
  {
    name: "Mail",
    to: "/operator/mail",
    reads: "mail/list",
    waits: { count: "failedMails", of: "failed" },
  },
  {
    name: "Chain",
    to: "/operator/chain",
    reads: "chain/read",
    waits: { count: "chainTroubles", of: "to look at" },
  },
  {
    name: "Wallets",
    to: "/operator/wallets",
    reads: "chain/read",
    waits: { count: "arrivals", of: "to record" },
  },
  { name: "Markets", to: "/operator/markets", reads: "markets/read" },
  {
    name: "Jobs",
    to: "/operator/jobs",
    reads: "jobs/read",
    waits: { count: "stoppedJobs", of: "given up" },
  },
  {
    name: "Staff",
    to: "/operator/staff",
    reads: "staff/read",
    waits: { count: "staffChanges", of: "to confirm" },
  },
  { name: "Audit log", to: "/operator/audit", reads: "audit/read" },
];

/** The parts of the console that a role may open, in the order of the navigation. */
export function sectionsOf(role: OperatorRole): Section[] {
  return sections.filter(({ reads }) => may(role, reads));
}
