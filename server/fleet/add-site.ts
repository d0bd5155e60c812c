import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";
import { sites } from "./schema.ts";

/**
 * Adds a place where machines stand. The same site again is the one that is there.
 *
 * @throws Refusal `fleet/site-name-taken`, `fleet/site-unnamed`, and as `actAsOperator` does
 */
export function addSite(
  db: Db,
  operator: ActingOperator,
  wanted: { name: string; place: string },
  now: Date,
): Promise<{ siteId: string }> {
  const site = { name: wanted.name.trim(), place: wanted.place.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const [twin] = await tx.select().from(sites).where(eq(sites.name, site.name));
      if (twin && twin.place !== site.place) throw new Refusal("fleet/site-name-taken");
      if (twin) return { siteId: twin.id };
      const siteId = randomUUIDv7();
      const act = {
        act: "fleet/add-site" as const,
        subject: `site:${siteId}`,
        detail: site,
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.insert(sites).values({ id: siteId, ...site, createdAt: now, actionId }),
      );
      return { siteId };
    }),
  );
}
