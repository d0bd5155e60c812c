import { Refusal } from "#core/refusal.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { listPools } from "./list-pools.ts";
import { lockPool } from "./lock-pool.ts";

/**
 * Says on which page of a pool customers can look for themselves, in public; null: on none any more. The same again changes nothing.
 *
 * @throws Refusal `payouts/not-a-link`, `payouts/no-such-pool`, and as `actAsOperator` does
 */
export async function setWatchUrl(
  db: Db,
  operator: ActingOperator,
  { poolId, url }: { poolId: string; url: string | null },
  now: Date,
): Promise<void> {
  const link = url === null ? null : asLink(url);
  await db.transaction(async (tx) => {
    await lockPool(tx, poolId);
    const before = (await listPools(tx)).find(({ id }) => id === poolId)?.watchUrl ?? null;
    if (before === link) return;
    const subject = `pool:${poolId}`;
    const act = {
      act: "payouts/set-watch-url" as const,
      subject,
      detail: { url: link, before },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, actionId) =>
      inner.execute(sql`
        insert into pool_watch_urls (pool_id, url, created_at, action_id)
        values (${poolId}, ${link}, ${now.toISOString()}, ${actionId})`),
    );
  });
}

/** As it leads there, without a name and password of somebody. */
function asLink(url: string): string {
  const link = URL.parse(url.trim());
  const isPlain = link?.protocol === "https:" && link.username === "" && link.password === "";
  if (!link || !isPlain || link.href.length > 500) throw new Refusal("payouts/not-a-link");
  return link.href;
}
