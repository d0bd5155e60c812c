import type { SourceHealth } from "#core/payments/source-health.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainIncidents, chainSources } from "./schema.ts";

export interface FoundHealth {
  health: SourceHealth;
  detail: string;
  /** Null: it said nothing. */
  tip: { height: number; hash: string } | null;
}

/** Writes down whether a source can be used, and since when; what keeps us from it, as a incident with a beginning and an end. */
export async function recordHealth(
  db: Db,
  chain: WalletChain,
  { health, detail, tip }: FoundHealth,
  now: Date,
): Promise<{ changed: boolean }> {
  return db.transaction(async (tx) => {
    const asked = { askedAt: now, ...(tip && { tipHeight: tip.height }) };
    const begun = { chain, health, detail, since: now, ...asked };
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
    const same = inserted.length === 0 && before?.health === health;
    await tx
      .update(chainSources)
      .set({ ...asked, health, detail, ...(!same && { since: now }) })
      .where(eq(chainSources.chain, chain));
    if (same) return { changed: false };
    await tx
      .update(chainIncidents)
      .set({ endedAt: now })
      .where(and(eq(chainIncidents.chain, chain), isNull(chainIncidents.endedAt)));
    if (health !== "following" && health !== "catching-up") {
      await tx.insert(chainIncidents).values({ chain, health, detail, beganAt: now });
    }
    return { changed: true };
  });
}
