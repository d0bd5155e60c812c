import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { credentials, operators, users } from "../schema.ts";
import { mailInvitation } from "./carry-out-staff-change.ts";
import type { Operator } from "./operator.ts";

/**
 * Mails somebody who has not set a password yet a new link. No new right is given, so one owner is enough.
 *
 * @throws Refusal `identity/nothing-to-change`, and as `actAsOperator` does
 */
export function renewInvitation(
  db: Db,
  operator: Operator,
  { operatorId, site, now }: { operatorId: string; site: Site; now: Date },
): Promise<void> {
  const act = {
    act: "identity/renew-invitation" as const,
    subject: `operator:${operatorId}`,
    detail: {},
    now,
  };
  return actAsOperator(db, operator, act, async (tx) => {
    const [invited] = await tx
      .select({
        id: users.id,
        email: users.email,
        firstName: users.firstName,
        role: operators.role,
      })
      .from(operators)
      .innerJoin(users, eq(users.id, operators.id))
      .innerJoin(credentials, eq(credentials.userId, operators.id))
      .where(
        and(
          eq(operators.id, operatorId),
          eq(operators.state, "active"),
          isNull(credentials.password),
        ),
      );
    if (!invited) throw new Refusal("identity/nothing-to-change");
    await mailInvitation(tx, { operator, invited, site, now });
  });
}
