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
  "console/read": { roles: operatorRoles },

  "console/export-list": {
    roles: ["treasurer", "approver", "auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "console/silence-alarms": { roles: preparers, sensitive: true },
  "console/end-silence": { roles: preparers },

  "deposits/read": {
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "deposits/view-slip": {
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },
  "deposits/approve": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "deposits/reject": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "deposits/propose-approval": {
    roles: deciders,
    sensitive: true,
  },
  "deposits/confirm-approval": {
    roles: deciders,
    sensitive: true,
    approval: true,
  },
  "deposits/decline-approval": {
    roles: deciders,
  },

  "deposits/propose-resolution": {
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "deposits/confirm-resolution": {
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "deposits/decline-resolution": {
    roles: ["treasurer", "approver", "owner"],
  },

  "withdrawals/read": {
    roles: ["support", "treasurer", "approver", "auditor", "owner"],
  },
  "withdrawals/approve": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/reject": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/place-hold": {
    roles: ["support", "treasurer", "approver", "owner"],
  },
  "withdrawals/lift-hold": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "withdrawals/look-for-coins": {
    roles: ["treasurer", "owner"],
  },
  "withdrawals/form-batch": {
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/rebuild-batch": {
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/consolidate": {
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "withdrawals/propose-abandonment": {
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/confirm-abandonment": {
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/decline-abandonment": {
    roles: ["treasurer", "approver", "owner"],
  },
  "withdrawals/download-psbt": {
    roles: ["treasurer", "approver", "owner"],
  },
  "withdrawals/upload-signed": {
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/order-broadcast": {
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/propose-resolution": {
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "withdrawals/confirm-resolution": {
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "withdrawals/decline-resolution": {
    roles: ["treasurer", "approver", "owner"],
  },

  "chain/read": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "chain/compare-wallet": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "chain/propose-deep-reorg": {
    roles: ["treasurer", "approver", "owner"],
    sensitive: true,
  },
  "chain/confirm-deep-reorg": {
    roles: ["approver", "owner"],
    sensitive: true,
  },
  "chain/decline-deep-reorg": {
    roles: ["treasurer", "approver", "owner"],
  },

  "reconciliation/read": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "reconciliation/view-evidence": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "reconciliation/read-again": {
    roles: ["treasurer", "approver", "owner"],
  },
  "reconciliation/sign-reserves": {
    roles: ["treasurer", "owner"],
  },
  "reconciliation/count": {
    roles: preparers,
    sensitive: true,
  },
  "reconciliation/withdraw-count": {
    roles: preparers,
  },
  "reconciliation/confirm-count": {
    roles: deciders,
    sensitive: true,
  },
  "reconciliation/reject-count": {
    roles: deciders,
  },
  "reconciliation/explain": {
    roles: ["treasurer", "approver", "owner"],
  },

  "adjustments/read": {
    roles: ["support", "treasurer", "approver", "auditor", "owner"],
  },
  "adjustments/view-evidence": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "adjustments/propose": {
    roles: ["treasurer", "owner"],
    sensitive: true,
  },
  "adjustments/withdraw": {
    roles: ["treasurer", "owner"],
  },
  "adjustments/approve": {
    roles: ["approver", "owner"],
    sensitive: true,
    approval: true,
  },
  "adjustments/reject": {
    roles: ["approver", "owner"],
  },

  "business/read": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "business/export": {
    roles: ["treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },

  "customers/read": {
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "identity/set-dashboard-message": {
    roles: ["support", "owner"],
  },

  "identity/view-as-customer": {
    roles: ["support", "owner"],
    sensitive: true,
  },

  "staff-notes/read": {
    roles: ["support", "verifier", "treasurer", "approver", "auditor", "owner"],
  },
  "staff-notes/write-note": {
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
  },
  "staff-notes/raise-flag": {
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
  },
  "staff-notes/lift-flag": {
    roles: ["verifier", "approver", "owner"],
  },

  "kyc/read": {
    roles: ["verifier", "auditor", "owner"],
  },
  "kyc/view-document": {
    roles: ["verifier", "owner"],
    byReading: true,
  },
  "kyc/approve": {
    roles: ["verifier", "owner"],
    sensitive: true,
  },
  "kyc/decline": { roles: ["verifier", "owner"] },
  "kyc/ask-second-review": {
    roles: ["verifier", "owner"],
  },

  "identity/freeze-account": {
    roles: ["support", "verifier", "treasurer", "approver", "owner"],
    sensitive: true,
  },
  "identity/unfreeze-account": {
    roles: ["support", "owner"],
    sensitive: true,
  },
  "identity/reset-mfa": {
    roles: ["support", "owner"],
    sensitive: true,
  },

  "fleet/read": { roles: miningReaders },
  "fleet/add-site": { roles: preparers },
  "fleet/rename-site": { roles: preparers },
  "fleet/set-energy-price": { roles: preparers },
  "fleet/add-delivery": { roles: preparers },
  "fleet/record-delivery-state": { roles: preparers },
  "fleet/record-outage": { roles: preparers },
  "fleet/end-outage": { roles: preparers },
  "fleet/correct-outage": { roles: preparers },
  "fleet/withdraw-outage": { roles: preparers },
  "fleet/set-reserve": { roles: deciders, sensitive: true },

  "plans/read": { roles: miningReaders },
  "plans/draft": { roles: preparers },
  "plans/publish": { roles: deciders, sensitive: true },
  "plans/retire": { roles: deciders, sensitive: true },
  "contracts/announce-maintenance": {
    roles: deciders,
    sensitive: true,
  },
  "contracts/withdraw-maintenance": {
    roles: deciders,
    sensitive: true,
  },

  "payouts/read": { roles: miningReaders },
  "payouts/download-statement": {
    roles: ["treasurer", "approver", "auditor", "owner"],
    byReading: true,
  },
  "payouts/add-pool": { roles: deciders, sensitive: true },
  "payouts/stop-pool": {
    roles: deciders,
    sensitive: true,
  },
  "payouts/name-address": { roles: deciders, sensitive: true },
  "payouts/set-watch-url": { roles: deciders, sensitive: true },
  "payouts/enter": { roles: preparers },
  "payouts/keep-statement": { roles: preparers },
  "payouts/import": { roles: preparers },
  "payouts/vouch": {
    roles: preparers,
    sensitive: true,
  },
  "payouts/correct": { roles: preparers, sensitive: true },
  "payouts/confirm": {
    roles: deciders,
    sensitive: true,
    approval: true,
  },
  "payouts/refuse": { roles: deciders },
  "payouts/set-limit": {
    roles: ["owner"],
    sensitive: true,
  },

  "mining/read": { roles: miningReaders },
  "mining/dry-run": {
    roles: ["treasurer", "approver", "auditor", "owner"],
  },
  "mining/post-day": { roles: preparers, sensitive: true },
  "mining/retry-customer": {
    roles: preparers,
  },
  "mining/set-automatic": {
    roles: deciders,
    sensitive: true,
  },

  "contact/read": { roles: ["support", "auditor", "owner"] },
  "contact/view-file": {
    roles: ["support", "auditor", "owner"],
    byReading: true,
  },
  "contact/reply": { roles: ["support", "owner"] },
  "contact/close": { roles: ["support", "owner"] },
  "contact/mark-as-spam": { roles: ["support", "owner"] },
  "contact/reopen": { roles: ["support", "owner"] },

  "newsletter/read": {
    roles: ["content", "auditor", "owner"],
  },
  "console/export-subscribers": {
    roles: ["content", "auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "content/read": {
    roles: ["support", "content", "auditor", "owner"],
  },
  "content/save-draft": { roles: ["content", "owner"] },
  "content/publish": {
    roles: ["content", "owner"],
    sensitive: true,
  },
  "content/withdraw": { roles: ["content", "owner"] },
  "content/move": { roles: ["content", "owner"] },
  "content/invite-testimonial": {
    roles: ["support", "owner"],
  },
  "content/withdraw-invitation": {
    roles: ["support", "content", "owner"],
  },
  "content/publish-testimonial": { roles: ["content", "owner"] },
  "content/unpublish-testimonial": {
    roles: ["content", "owner"],
  },

  "mail/list": { roles: ["support", "auditor", "owner"] },
  "mail/read": {
    roles: ["support", "owner"],
  },
  "mail/read-staff": {
    roles: ["owner"],
  },
  "mail/resend": { roles: ["support", "owner"] },

  "markets/read": { roles: operatorRoles },
  "jobs/read": { roles: ["auditor", "owner"] },
  "jobs/retry": { roles: ["owner"] },

  "rehearsal/read": { roles: operatorRoles },
  "rehearsal/run": {
    roles: ["content", "support", "verifier", "treasurer", "approver", "owner"],
  },

  "audit/read": { roles: ["auditor", "owner"] },
  "console/export-audit-log": {
    roles: ["auditor", "owner"],
    sensitive: true,
    byReading: true,
  },

  "staff/read": { roles: operatorRoles },
  "identity/invite-operator": {
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/renew-invitation": {
    roles: ["owner"],
    sensitive: true,
  },
  "identity/suspend-operator": {
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/reinstate-operator": {
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/change-role": {
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/propose-staff-change": {
    roles: ["owner"],
    sensitive: true,
  },
  "identity/confirm-staff-change": {
    roles: ["owner"],
    sensitive: true,
    approval: true,
  },
  "identity/decline-staff-change": {
    roles: ["owner"],
    sensitive: true,
  },
  "identity/withdraw-staff-change": {
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
