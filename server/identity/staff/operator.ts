import type { OperatorRole } from "#core/permissions.ts";
import type { Approval } from "../audit/approval.ts";

export const operatorStates = ["active", "suspended"] as const;
export type OperatorState = (typeof operatorStates)[number];

/** A member of staff who is signed in. */
export interface Operator {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: OperatorRole;
  /** The request that this operator is acting in; the audit log repeats it. */
  requestId: string | null;
  /** When this operator last showed a second factor: sensitive acts ask how long ago that was. */
  provedAt: Date;
  /** The question for a passkey, in a form that approves something. */
  approval?: Approval;
}

/** What an act of staff needs to know of who does it. */
export type ActingOperator = Pick<Operator, "id" | "requestId" | "provedAt" | "approval">;
