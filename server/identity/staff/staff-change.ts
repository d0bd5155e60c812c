import type { OperatorRole, Permission } from "#core/permissions.ts";

export type StaffChangeKind = "invite" | "suspend" | "reinstate" | "change-role";
/** Ended: whom it concerns was changed without it, or who proposed it is no owner any more. PostgreSQL does it, with that act. */
export type StaffChangeState = "open" | "confirmed" | "declined" | "withdrawn" | "ended";

/** What an owner wants done about staff. */
export type StaffChange =
  | { kind: "invite"; email: string; firstName: string; lastName: string; role: OperatorRole }
  | { kind: "suspend" | "reinstate"; operatorId: string; reason: string }
  | { kind: "change-role"; operatorId: string; role: OperatorRole; reason: string };

/** How the audit log calls it, whether one owner did it or two. */
export const actOfChange = {
  invite: "identity/invite-operator",
  suspend: "identity/suspend-operator",
  reinstate: "identity/reinstate-operator",
  "change-role": "identity/change-role",
} as const satisfies Record<StaffChangeKind, Permission>;

/** How long another owner has to answer; PostgreSQL holds it too (`staff_changes_expire_after_7_days`). */
export const proposalDays = 7;
