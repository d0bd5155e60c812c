import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import { markOf } from "../identity/settings/settings.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";
import { sites } from "./schema.ts";

/**
 * Gives a site another name, or another place as customers read it. What was called so before stands in the audit log. The
 * same words again change nothing. `seen` is the mark of what the page showed (`markOfSite`).
 *
 * @throws Refusal `fleet/no-such-site`, `fleet/site-changed-meanwhile`, `fleet/site-name-taken`, `fleet/site-unnamed`, and as
 *   `actAsOperator` does
 */
export function renameSite(
  db: Db,
  operator: ActingOperator,
  { siteId, seen, ...wanted }: { siteId: string; name: string; place: string; seen: string },
  now: Date,
): Promise<void> {
  const name = wanted.name.trim();
  const place = wanted.place.trim();
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const [site] = await tx.select().from(sites).where(eq(sites.id, siteId));
      if (!site) throw new Refusal("fleet/no-such-site");
      if (site.name === name && site.place === place) return;
      if (markOfSite(site) !== seen) throw new Refusal("fleet/site-changed-meanwhile");
      const act = {
        act: "fleet/rename-site" as const,
        subject: `site:${siteId}`,
        detail: { name, place, before: `${site.name}, ${site.place}` },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, changedActionId) =>
        inner.update(sites).set({ name, place, changedActionId }).where(eq(sites.id, siteId)),
      );
    }),
  );
}

/** Of its words. */
export const markOfSite = ({ name, place }: { name: string; place: string }) =>
  markOf({ name, place });
