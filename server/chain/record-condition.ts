import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainSources, chainTroubles } from "./schema.ts";
import type { SourceCondition } from "./source-condition.ts";

export interface FoundCondition {
  condition: SourceCondition;
  detail: string;
  /** Null: it said nothing. */
  tip: { height: number; hash: string } | null;
}

/** Writes down whether a source can be used, and since when; what keeps us from it, as a trouble with a beginning and an end. */
export async function recordCondition(
  db: Db,
  chain: WalletChain,
  { condition, detail, tip }: FoundCondition,
  now: Date,
): Promise<{ changed: boolean }> {
  return db.transaction(async (tx) => {
    const asked = { askedAt: now, ...(tip && { tipHeight: tip.height }) };
    const begun = { chain, condition, detail, since: now, ...asked };
    const inserted = await tx
      .insert(chainSources)
      .values(begun)
      .onConflictDoNothing()
      .returning({ chain: chainSources.chain });
    const [before] = await tx
      .select()
      .from(chainSources)
      .where(eq(chainSources.chain, chain))
      .for("update");
    const same = inserted.length === 0 && before?.condition === condition;
    await tx
      .update(chainSources)
      .set({ ...asked, condition, detail, ...(!same && { since: now }) })
      .where(eq(chainSources.chain, chain));
    if (same) return { changed: false };
    await tx
      .update(chainTroubles)
      .set({ endedAt: now })
      .where(and(eq(chainTroubles.chain, chain), isNull(chainTroubles.endedAt)));
    if (condition !== "following" && condition !== "catching-up") {
      await tx.insert(chainTroubles).values({ chain, condition, detail, beganAt: now });
    }
    return { changed: true };
  });
}
