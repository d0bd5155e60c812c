import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { reopenAccount } from "../identity/account/close-account.ts";
import { hashToken } from "../identity/registration/issue-link.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db, Tx } from "../platform/database.ts";
import { accountClosings } from "./schema.ts";

export type ReturnState = "open" | "too-late" | "unknown";

/**
 * Opens a closed account again, for whoever has the link that was mailed when it was closed.
 *
 * @throws Refusal `personal-data/too-late` when its time is over, `personal-data/link-unknown`
 */
export async function keepAccount(
  db: Db,
  link: { token: string; browser: Browser; now: Date },
): Promise<void> {
  const { token, browser, now } = link;
  await db.transaction(async (tx) => {
    const state = await inspectReturn(tx, { token, now });
    if (state !== "open") {
      throw new Refusal(
        state === "unknown" ? "personal-data/link-unknown" : "personal-data/too-late",
      );
    }
    const [kept] = await tx
      .update(accountClosings)
      .set({ state: "kept", endedAt: now, returnTokenSha256: null })
      .where(
        and(
          eq(accountClosings.returnTokenSha256, hashToken(token)),
          eq(accountClosings.state, "leaving"),
        ),
      )
      .returning({ customerId: accountClosings.customerId });
    if (!kept) throw new Refusal("personal-data/link-unknown");
    const { customerId } = kept;
    await reopenAccount(tx, customerId);
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "closing-taken-back",
      by: "self",
      ...browser,
      now,
    });
  });
}

/** What the link would do now, without using it. A used one is unknown: its hash goes with it. */
export async function inspectReturn(
  db: Db | Tx,
  { token, now }: { token: string; now: Date },
): Promise<ReturnState> {
  const [closing] = await db
    .select({ eraseAfter: accountClosings.eraseAfter })
    .from(accountClosings)
    .where(eq(accountClosings.returnTokenSha256, hashToken(token)));
  if (!closing?.eraseAfter) return "unknown";
  return closing.eraseAfter > now ? "open" : "too-late";
}
