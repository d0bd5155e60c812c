import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { hashToken } from "../identity/registration/issue-link.ts";
import type { LinkState } from "../identity/registration/use-link.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { cancelLocked } from "./cancel-withdrawal.ts";
import type { Withdrawal } from "./give-back.ts";
import { refusals } from "./refusals.ts";
import { withdrawals } from "./schema.ts";

interface Link {
  token: string;
  browser: Browser;
}

/**
 * Confirms a withdrawal by the link that was mailed for exactly this address and amount. The link works once.
 *
 * @throws Refusal `identity/link-used`, `-replaced` (it has ended unpaid), `-expired` or `-unknown`,
 * `withdrawals/account-frozen`, `withdrawals/money-stays`
 */
export async function confirmWithdrawal(db: Db, link: Link, now: Date): Promise<void> {
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const withdrawal = await lockByLink(tx, link.token);
      const state = stateOf(withdrawal, now);
      if (!withdrawal || state !== "open") throw new Refusal(`identity/link-${state}`);
      const { id, customerId, asset, units, address } = withdrawal;
      await tx
        .update(withdrawals)
        .set({ state: "confirmed", confirmedAt: now })
        .where(eq(withdrawals.id, id));
      await recordAccountEvent(tx, {
        userId: customerId,
        event: "withdrawal-confirmed",
        by: "self" as const,
        now,
        detail: { amount: `${toDecimal(units, asset)} ${asset}`, address },
        ...link.browser,
      });
    }),
  );
}

/**
 * Cancels a withdrawal by the same link, for whoever did not ask for it: also after it was confirmed, while it is in no batch.
 *
 * @throws Refusal `identity/link-unknown`, `withdrawals/too-late`
 */
export async function cancelByLink(db: Db, link: Link, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const withdrawal = await lockByLink(tx, link.token);
    if (!withdrawal) throw new Refusal("identity/link-unknown");
    await cancelLocked(tx, withdrawal, { endedBy: "mail-link", browser: link.browser }, now);
  });
}

/** What the link would do now, without using it: mail scanners open links too. */
export async function inspectConfirmation(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<{ state: LinkState; withdrawal: Withdrawal | null }> {
  const [found] = await db.select().from(withdrawals).where(isOf(token));
  return { state: stateOf(found, now), withdrawal: found ?? null };
}

async function lockByLink(tx: Tx, token: string): Promise<Withdrawal | undefined> {
  const [found] = await tx.select().from(withdrawals).where(isOf(token)).for("update");
  return found;
}

function isOf(token: string) {
  return eq(withdrawals.confirmTokenSha256, hashToken(token));
}

/** In which a withdrawal has ended with its amount back in the balance, whether it was confirmed or not. */
const unpaidStates: readonly Withdrawal["state"][] = ["cancelled", "rejected", "returned"];

function stateOf(withdrawal: Withdrawal | undefined, now: Date): LinkState {
  if (!withdrawal) return "unknown";
  if (unpaidStates.includes(withdrawal.state)) return "replaced";
  if (withdrawal.confirmedAt) return "used";
  return withdrawal.confirmBy <= now ? "expired" : "open";
}
