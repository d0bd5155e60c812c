import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";

/**
 * What a form of an outage chose: a site, or one delivery of it, as "site" or "site/delivery".
 *
 * @throws Refusal `fleet/no-such-site`
 */
export function readOutagePlace(what: string): { siteId: string; deliveryId: string | null } {
  const [siteId, deliveryId = null] = what.split("/");
  if (!isUuid(siteId) || (deliveryId !== null && !isUuid(deliveryId))) {
    throw new Refusal("fleet/no-such-site");
  }
  return { siteId, deliveryId };
}
