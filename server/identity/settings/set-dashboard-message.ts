import { Refusal } from "#core/refusal.ts";
import { dashboardMessageMaxLength } from "#core/text/dashboard-banner.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { customers } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";
import { refusals } from "./refusals.ts";
import { markOf } from "./settings.ts";

export interface DashboardMessage {
  customerId: string;
  /** Empty: no message. */
  text: string;
  /** When it ends by itself; null: never. */
  expiresAt: Date | null;
  /** The mark of what the page showed (`markOfMessage`); missing: it takes the place of whatever stands there. */
  seen?: string;
}

/**
 * Writes what scrolls above a customer's dashboard, or takes it away. The audit log keeps the words before and after;
 * saving what stands there already changes nothing and writes nothing.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/message-too-long`, `identity/message-names-address`,
 * `identity/message-already-expired`, `identity/message-changed-meanwhile`
 */
export async function setDashboardMessage(
  db: Db,
  operator: ActingOperator,
  message: DashboardMessage,
  now: Date,
): Promise<void> {
  const { customerId } = message;
  const text = message.text.trim();
  const expiresAt = text === "" ? null : message.expiresAt;
  if (text.length > dashboardMessageMaxLength) throw new Refusal("identity/message-too-long");
  if (expiresAt && expiresAt <= now) throw new Refusal("identity/message-already-expired");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const [before] = await tx
        .select({
          text: customers.dashboardMessage,
          expiresAt: customers.dashboardMessageExpiresAt,
        })
        .from(customers)
        .where(eq(customers.id, customerId))
        .for("update");
      if (!before) throw new Refusal("identity/no-such-customer");
      if (before.text === text && before.expiresAt?.getTime() === expiresAt?.getTime()) return;
      const isOld = message.seen !== undefined && message.seen !== markOfMessage(before);
      if (isOld) throw new Refusal("identity/message-changed-meanwhile");
      const act = {
        act: "identity/set-dashboard-message" as const,
        subject: `customer:${customerId}`,
        customerId,
        detail: {
          before: before.text,
          after: text,
          expiresAt: expiresAt?.toISOString() ?? null,
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, auditId) =>
        inner
          .update(customers)
          .set({
            dashboardMessage: text,
            dashboardMessageExpiresAt: expiresAt,
            dashboardMessageAct: auditId,
          })
          .where(eq(customers.id, customerId)),
      );
    }),
  );
}

export const markOfMessage = ({ text, expiresAt }: Pick<DashboardMessage, "text" | "expiresAt">) =>
  markOf({ text, expiresAt });
