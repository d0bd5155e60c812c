import { isUuid } from "#core/is-uuid.ts";
import { isDay } from "#core/utc-day.ts";
import type { AuditFilter } from "#server/console/audit/list-audit-log.ts";
import { searchText } from "../parts/search-text.ts";

/** What an address asks of the audit log. Anything that cannot be meant is left out. */
export function readAuditFilter(params: URLSearchParams): AuditFilter {
  const operatorId = params.get("operator");
  const customerId = params.get("customer");
  const [from, until] = [params.get("from") ?? "", params.get("until") ?? ""];
  return {
    operatorId: isUuid(operatorId) ? operatorId : undefined,
    customerId: isUuid(customerId) ? customerId : undefined,
    act: searchText(params, "act") || undefined,
    about: searchText(params, "q") || undefined,
    from: isDay(from) ? from : undefined,
    until: isDay(until) ? until : undefined,
  };
}
