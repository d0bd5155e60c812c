import { isDay } from "#core/utc-day.ts";
import type { AuditFilter } from "#server/console/audit/queries.ts";
import { isId } from "#server/console/is-id.ts";

/** What an address asks of the audit log. Anything that cannot be meant is left out. */
export function readAuditFilter(params: URLSearchParams): AuditFilter {
  const operatorId = params.get("operator");
  const customerId = params.get("customer");
  const day = params.get("day") ?? "";
  return {
    operatorId: isId(operatorId) ? operatorId : undefined,
    customerId: isId(customerId) ? customerId : undefined,
    act: params.get("act")?.trim() || undefined,
    about: params.get("q")?.trim() || undefined,
    day: isDay(day) ? day : undefined,
  };
}
