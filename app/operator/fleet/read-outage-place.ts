import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";

/**
 * What a form of an outage chose: a site, or one batch of it, as "site" or "site/batch".
 *
 * @throws Refusal `fleet/no-such-site`
 */
export function readOutagePlace(what: string): { siteId: string; batchId: string | null } {
  const [siteId, batchId = null] = what.split("/");
  if (!isUuid(siteId) || (batchId !== null && !isUuid(batchId))) {
    throw new Refusal("fleet/no-such-site");
  }
  return { siteId, batchId };
}
