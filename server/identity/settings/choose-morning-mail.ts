import type { OperatorRole } from "#core/permissions.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { credentials, operators, users } from "../schema.ts";
import type { Browser } from "./settings.ts";

/** Sets whether a member of staff is mailed in the morning what waits for them. Choosing what is set changes nothing. */
export async function chooseMorningMail(
  db: Db,
  choice: { operatorId: string; isWanted: boolean; browser: Browser; now: Date },
): Promise<void> {
  const { operatorId, isWanted, browser, now } = choice;
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(operators)
      .set({ getsMorningMail: isWanted })
      .where(and(eq(operators.id, operatorId), sql`${operators.getsMorningMail} <> ${isWanted}`))
      .returning({ id: operators.id });
    if (changed.length === 0) return;
    const event = { userId: operatorId, event: "notices-chosen", by: "self" } as const;
    await recordAccountEvent(tx, { ...event, detail: { morning: isWanted }, ...browser, now });
  });
}

/** Whether a member of staff gets that mail; null: the person is not on the staff. */
export async function getsMorningMail(db: Db, userId: string): Promise<boolean | null> {
  const [found] = await db
    .select({ wanted: operators.getsMorningMail })
    .from(operators)
    .where(eq(operators.id, userId));
  return found?.wanted ?? null;
}

/** Staff who can act and have not switched the mail off. */
export function listMorningReaders(
  db: Db,
): Promise<Array<{ id: string; email: string; firstName: string; role: OperatorRole }>> {
  return db
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
        eq(operators.state, "active"),
        eq(operators.getsMorningMail, true),
        sql`${credentials.password} is not null`,
      ),
    )
    .orderBy(users.id);
}
