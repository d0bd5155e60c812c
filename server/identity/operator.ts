import type { OperatorRole } from "#core/permissions.ts";

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
}
