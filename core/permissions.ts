/** What members of staff are there for; everybody has one role. */
export const operatorRoles = [
  "support",
  "verifier",
  "treasurer",
  "approver",
  "content",
  "auditor",
  "owner",
] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What each role is for, in a few words. */
export const roleWords: Record<OperatorRole, string> = {
  support: "answers customers",
  verifier: "checks who customers are",
  treasurer: "prepares payments",
  approver: "decides on proposals",
  content: "writes what the site says",
  auditor: "reads everything",
  owner: "does all, staff included",
};

interface Grant {
  /** What is permitted, in words that follow "may": shown on the staff page. */
  does: string;
  roles: readonly OperatorRole[];
  /** Whether the second factor is asked for again before it, after `securityTerms.freshMfaMinutes`. */
  sensitive?: true;
  /** Whether it is an approval: whoever has a passkey signs it with that, each one, and the audit row keeps the signature. */
  approval?: true;
  /** Whether it is done by opening an address: a file that is given out and written down. */
  byReading?: true;
}

const miningReaders: readonly OperatorRole[] = [
  "support",
  "treasurer",
  "approver",
  "auditor",
  "owner",
];
const preparers: readonly OperatorRole[] = ["treasurer", "owner"];
const deciders: readonly OperatorRole[] = ["approver", "owner"];

/**
 * Who may do what in the console: the one table that pages, acts, buttons and the staff page ask. An act's permission has
 * the act's name in the audit log; the others open pages. Auditors open every page and change nothing; taking something
 * away and looking at a slip are acts too, because they are written down. What moves money or a way in, what speaks for
 * the company and what takes people's data away is sensitive.
 */
export const permissions = {
  "console/read": { does: "open the console and search in it", roles: operatorRoles },

  "console/export-list": {
    does: "take a list of the console away as a file, of those that one may see",
    roles: ["treasurer", "approver", "auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "deposits/read": {
    does: "see deposits",
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "deposits/view-slip": {
    does: "look at a payment slip",
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },
  "deposits/approve": {
    does: "approve a deposit",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "deposits/reject": {
    does: "reject a deposit",
    roles: ["approver", "owner"],
    sensitive: true,
  },

  "deposits/propose-resolution": {
    does: "say whose a payment is that was not credited, or was wrongly, and that a deposit was approved by mistake",
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "deposits/confirm-resolution": {
    does: "confirm what a colleague said of such a payment or deposit",
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "deposits/decline-resolution": {
    does: "withdraw or decline what was said of such a payment or deposit",
    roles: ["treasurer", "approver", "owner"],
  },

  "withdrawals/read": {
    does: "see withdrawals and their batches",
    roles: ["support", "treasurer", "approver", "auditor", "owner"],
  },
  "withdrawals/approve": {
    does: "approve a withdrawal",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/reject": {
    does: "reject a withdrawal",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/place-hold": {
    does: "hold a withdrawal for some days",
    roles: ["support", "treasurer", "approver", "owner"],
  },
  "withdrawals/lift-hold": {
    does: "end such a hold before its time",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/look-for-coins": {
    does: "have the node look for what the wallet can spend",
    roles: ["treasurer", "owner"],
  },
  "withdrawals/form-batch": {
    does: "form a batch of withdrawals",
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/rebuild-batch": {
    does: "build a batch again, with another fee or without a payment",
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/consolidate": {
    does: "build a transaction that pays many coins of the wallet to the wallet itself",
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/propose-abandonment": {
    does: "propose to end a batch of which no version can be mined",
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/confirm-abandonment": {
    does: "confirm that a colleague's batch ends without being mined",
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/decline-abandonment": {
    does: "withdraw or decline such a proposal",
    roles: ["treasurer", "approver", "owner"],
  },
  "withdrawals/download-psbt": {
    does: "take a batch away to be signed",
    roles: ["treasurer", "approver", "owner"],
  },
  "withdrawals/upload-signed": {
    does: "bring back what was signed",
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/order-broadcast": {
    does: "order that a signed batch is sent",
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/propose-resolution": {
    does: "say how a payment ends of which the token announced something else",
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/confirm-resolution": {
    does: "confirm what a colleague said of such a payment",
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/decline-resolution": {
    does: "take back or decline what was said of such a payment",
    roles: ["treasurer", "approver", "owner"],
  },

  "chain/read": {
    does: "see the wallets that addresses come from, and what arrives there",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "chain/compare-wallet": {
    does: "open a wallet for customers, by an address read in it",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "chain/propose-deep-reorg": {
    does: "say that a chain was right to leave blocks that were settled",
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "chain/confirm-deep-reorg": {
    does: "confirm what a colleague said of such a chain",
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "chain/decline-deep-reorg": {
    does: "take back or decline what was said of such a chain",
    roles: ["treasurer", "approver", "owner"],
  },

  "reconciliation/read": {
    does: "see wallet counts compared with the ledger",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "reconciliation/view-evidence": {
    does: "look at the evidence of a count",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "reconciliation/read-again": {
    does: "have the node read the wallets again",
    roles: ["treasurer", "approver", "owner"],
  },
  "reconciliation/count": {
    does: "enter what was counted in the wallets",
    roles: preparers,
    sensitive: true,
  },
  "reconciliation/withdraw-count": {
    does: "take such a count of one's own back",
    roles: preparers,
  },
  "reconciliation/confirm-count": {
    does: "confirm a colleague's count",
    roles: deciders,
    sensitive: true,
  },
  "reconciliation/reject-count": {
    does: "reject a colleague's count",
    roles: deciders,
  },
  "reconciliation/explain": {
    does: "explain why wallets and journal differ",
    roles: ["treasurer", "approver", "owner"],
  },

  "adjustments/read": {
    does: "see what was given of the operator's own money",
    roles: ["support", "treasurer", "approver", "auditor", "owner"],
  },
  "adjustments/view-evidence": {
    does: "look at the evidence of an adjustment",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "adjustments/propose": {
    does: "propose to move the operator's own money",
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "adjustments/withdraw": {
    does: "take such a proposal of one's own back",
    roles: ["treasurer", "owner"],
  },
  "adjustments/approve": {
    does: "approve a colleague's proposal, and post it",
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "adjustments/reject": {
    does: "reject a colleague's proposal",
    roles: ["approver", "owner"],
  },

  "business/read": {
    does: "see what the business earns and costs, by day and month",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "business/export": {
    does: "take those figures away as a file",
    roles: ["treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },

  "customers/read": {
    does: "see customers",
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "identity/set-dashboard-message": {
    does: "write above a customer's dashboard",
    roles: ["support", "owner"],
  },

  "identity/view-as-customer": {
    does: "look at an account as its customer sees it",
    roles: ["support", "owner"],
    sensitive: true,
  },

  "staff-notes/read": {
    does: "see notes and flags about a customer",
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "staff-notes/write-note": {
    does: "write a note about a customer",
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
  },
  "staff-notes/raise-flag": {
    does: "ask colleagues to look closer at a customer",
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
  },
  "staff-notes/lift-flag": {
    does: "end such a flag before its time",
    roles: ["verifier", "approver", "owner"],
  },

  "kyc/read": {
    does: "see who waits to be verified, and what they said of themselves",
    roles: ["verifier", "auditor", "owner"],
  },
  "kyc/view-document": {
    does: "look at an identity document",
    roles: ["verifier", "owner"],
    byReading: true,
  },
  "kyc/approve": {
    does: "approve a verification",
    roles: ["verifier", "owner"],
    sensitive: true,
  },
  "kyc/decline": { does: "decline a verification", roles: ["verifier", "owner"] },
  "kyc/ask-second-review": {
    does: "ask for a second verifier",
    roles: ["verifier", "owner"],
  },

  "identity/freeze-account": {
    does: "freeze a customer's account",
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
    sensitive: true,
  },
  "identity/unfreeze-account": {
    does: "open a frozen account again",
    roles: ["support", "owner"],
    sensitive: true,
  },
  "identity/reset-mfa": {
    does: "remove a customer's lost second factors",
    roles: ["support", "owner"],
    sensitive: true,
  },

  "fleet/read": { does: "see the machines and what is sold of them", roles: miningReaders },
  "fleet/add-site": { does: "add a site", roles: preparers },
  "fleet/rename-site": { does: "give a site another name or place", roles: preparers },
  "fleet/set-energy-price": { does: "enter what energy costs", roles: preparers },
  "fleet/add-batch": { does: "add machines", roles: preparers },
  "fleet/record-batch-state": { does: "enter how machines run", roles: preparers },
  "fleet/record-outage": { does: "note an outage", roles: preparers },
  "fleet/end-outage": { does: "note the end of an outage", roles: preparers },
  "fleet/correct-outage": { does: "correct what was noted of an outage", roles: preparers },
  "fleet/withdraw-outage": { does: "take back an outage that never was", roles: preparers },
  "fleet/set-reserve": { does: "say how much is never sold", roles: deciders, sensitive: true },

  "plans/read": { does: "see plans and their drafts", roles: miningReaders },
  "plans/draft": { does: "draft a plan, or a new version of one", roles: preparers },
  "plans/publish": { does: "offer a plan to customers", roles: deciders, sensitive: true },
  "plans/retire": { does: "offer a plan no longer", roles: deciders, sensitive: true },
  "contracts/announce-maintenance": {
    does: "announce another maintenance fee",
    roles: deciders,
    sensitive: true,
  },
  "contracts/withdraw-maintenance": {
    does: "take such an announcement back",
    roles: deciders,
    sensitive: true,
  },

  "payouts/read": { does: "see what the pools paid", roles: miningReaders },
  "payouts/download-statement": {
    does: "take a pool's statement away as it came",
    roles: ["treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },
  "payouts/add-pool": { does: "add a pool", roles: deciders, sensitive: true },
  "payouts/stop-pool": {
    does: "say that a pool counts no longer",
    roles: deciders,
    sensitive: true,
  },
  "payouts/enter": { does: "enter a payout", roles: preparers },
  "payouts/keep-statement": { does: "bring a pool's file", roles: preparers },
  "payouts/import": { does: "record the payouts of a pool's file", roles: preparers },
  "payouts/vouch": {
    does: "be the first to vouch for a payout that the worker read",
    roles: preparers,
    sensitive: true,
  },
  "payouts/correct": { does: "propose to correct a payout", roles: preparers, sensitive: true },
  "payouts/confirm": {
    does: "confirm a payout as the second person",
    roles: deciders,
    sensitive: true,
    approval: true,
  },
  "payouts/refuse": { does: "refuse a payout", roles: deciders },
  "payouts/set-limit": {
    does: "say above what amount two people are needed",
    roles: ["owner"],
    sensitive: true,
  },

  "mining/read": { does: "see the days that were and are to be credited", roles: miningReaders },
  "mining/dry-run": {
    does: "try a day without posting it",
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "mining/post-day": { does: "post a day", roles: preparers, sensitive: true },
  "mining/retry-customer": {
    does: "have mining work tried again that failed for a customer",
    roles: preparers,
  },
  "mining/set-automatic": {
    does: "switch automatic posting of days on or off",
    roles: deciders,
    sensitive: true,
  },

  "contact/read": { does: "see messages", roles: ["support", "auditor", "owner"] },
  "contact/view-file": {
    does: "look at a file that came with a message",
    roles: ["support", "auditor", "owner"],
    byReading: true,
  },
  "contact/reply": { does: "answer a message", roles: ["support", "owner"] },
  "contact/close": { does: "close a message without an answer", roles: ["support", "owner"] },
  "contact/mark-as-spam": { does: "mark a message as spam", roles: ["support", "owner"] },
  "contact/reopen": { does: "open a message again", roles: ["support", "owner"] },

  "newsletter/read": {
    does: "see the newsletter and its subscribers",
    roles: ["content", "auditor", "owner"],
  },
  "newsletter/save-issue": { does: "write an issue", roles: ["content", "owner"] },
  "newsletter/send-test": { does: "mail oneself a test", roles: ["content", "owner"] },
  "newsletter/send-issue": {
    does: "send an issue",
    roles: ["content", "owner"],
    sensitive: true,
  },
  "newsletter/stop-issue": { does: "stop an issue", roles: ["content", "owner"] },
  "newsletter/discard-issue": { does: "throw a draft away", roles: ["content", "owner"] },
  "console/export-subscribers": {
    does: "take the subscribers away as a file",
    roles: ["content", "auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "content/read": {
    does: "see drafts, versions and testimonials",
    roles: ["support", "content", "auditor", "owner"],
  },
  "content/save-draft": { does: "save a draft", roles: ["content", "owner"] },
  "content/publish": {
    does: "publish a text",
    roles: ["content", "owner"],
    sensitive: true,
  },
  "content/withdraw": { does: "take a text off the site", roles: ["content", "owner"] },
  "content/move": { does: "move a question", roles: ["content", "owner"] },
  "content/invite-testimonial": {
    does: "ask a customer for a testimonial",
    roles: ["support", "owner"],
  },
  "content/withdraw-invitation": {
    does: "take such an invitation back",
    roles: ["support", "content", "owner"],
  },
  "content/publish-testimonial": { does: "publish a testimonial", roles: ["content", "owner"] },
  "content/unpublish-testimonial": {
    does: "take a testimonial off the site",
    roles: ["content", "owner"],
  },

  "news/read": { does: "see the feeds", roles: ["content", "auditor", "owner"] },
  "news/add-source": { does: "add a feed", roles: ["content", "owner"] },
  "news/change-source": { does: "change a feed", roles: ["content", "owner"] },
  "news/remove-source": { does: "remove a feed", roles: ["content", "owner"] },
  "news/read-now": { does: "have a feed read at once", roles: ["content", "owner"] },

  "mail/list": { does: "see which mails went out", roles: ["support", "auditor", "owner"] },
  "mail/read": {
    does: "read a mail's text, where there is no mail server",
    roles: ["support", "owner"],
  },
  "mail/read-staff": {
    does: "the same for mails to staff, whose links open the console",
    roles: ["owner"],
  },
  "mail/resend": { does: "send a failed mail again", roles: ["support", "owner"] },

  "markets/read": { does: "see where prices come from", roles: operatorRoles },
  "jobs/read": { does: "see jobs that were given up", roles: ["auditor", "owner"] },
  "jobs/retry": { does: "have such a job tried again", roles: ["owner"] },

  "rehearsal/read": { does: "see a rehearsal's wallets and clock", roles: operatorRoles },
  "rehearsal/run": {
    does: "move a rehearsal's clock, and pay and mine on its chain",
    roles: ["content", "support", "verifier", "treasurer", "approver", "owner"],
  },

  "audit/read": { does: "see the audit log", roles: ["auditor", "owner"] },
  "console/export-audit-log": {
    does: "take the audit log away as a file",
    roles: ["auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "staff/read": { does: "see who is staff, and this table", roles: operatorRoles },
  "identity/invite-operator": {
    does: "invite a colleague",
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/renew-invitation": {
    does: "mail an invitation once more",
    roles: ["owner"],
    sensitive: true,
  },
  "identity/suspend-operator": {
    does: "suspend a colleague",
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/reinstate-operator": {
    does: "reinstate a colleague",
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/change-role": {
    does: "change a colleague's role",
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/propose-staff-change": {
    does: "propose such a change to a second owner",
    roles: ["owner"],
    sensitive: true,
  },
  "identity/confirm-staff-change": {
    does: "confirm another owner's proposal",
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/decline-staff-change": {
    does: "decline another owner's proposal",
    roles: ["owner"],
    sensitive: true,
  },
  "identity/withdraw-staff-change": {
    does: "take one's own proposal back",
    roles: ["owner"],
    sensitive: true,
  },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof permissions;

/** Whether somebody with this role may do this. */
export function may(role: OperatorRole, permission: Permission): boolean {
  const { roles }: Grant = permissions[permission];
  return roles.includes(role);
}

/** Whether an address that is merely opened does this, and leaves its line in the audit log. */
export function isActByReading(permission: Permission): boolean {
  const { byReading }: Grant = permissions[permission];
  return byReading === true;
}

/** Whether the second factor is asked for again before this. */
export function isSensitive(permission: Permission): boolean {
  const { sensitive }: Grant = permissions[permission];
  return sensitive === true;
}

/** Whether it is signed with the passkey of the person who does it, where there is one. */
export function isApproval(permission: Permission): boolean {
  const { approval }: Grant = permissions[permission];
  return approval === true;
}
