import { Refusal } from "#core/refusal.ts";
import { isId } from "#server/console/is-id.ts";

/**
 * What a form of an outage chose: a site, or one batch of it, as "site" or "site/batch".
 *
 * @throws Refusal `fleet/no-such-site`
 */
export function readOutagePlace(what: string): { siteId: string; batchId: string | null } {
  const [siteId, batchId = null] = what.split("/");
  if (!isId(siteId) || (batchId !== null && !isId(batchId))) {
    throw new Refusal("fleet/no-such-site");
  }
  return { siteId, batchId };
}
