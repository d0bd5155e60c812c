import { coins } from "#core/asset.ts";
import { bounds } from "#core/payments/bounds.ts";

/** A condition of a verification: `units` of a `coin` is more than one person does alone within 24 hours. */
export function isMoreThan(
  bound: "recordedAlone" | "approvedAlone" | "orderedAlone",
  { units, coin }: { units: string; coin: string },
): string {
  const of: Partial<Record<string, bigint>> = bounds[bound];
  const cases = coins.flatMap((each) =>
    of[each] === undefined ? [] : `when '${each}' then ${of[each]}`,
  );
  return `${units} > case ${coin} ${cases.join(" ")} end`;
}

/**
 * A condition of a verification: somebody else could have looked at a time. Only those count whose role never changed, and who have a
 * password and had acted before.
 */
export const anotherCouldLook = (person: string, at: string) => `
  exists (select from operators o where o.id <> ${person} and o.role in ('approver', 'owner') and o.state = 'active'
             and o.changed_by_act is null and exists (select from credentials c where c.user_id = o.id and c.password is not null)
             and exists (select from audit_log l where l.operator_id = o.id and l.occurred_at < ${at}))`;
