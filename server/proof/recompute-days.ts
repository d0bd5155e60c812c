import { hashDay } from "#core/proof/day-digest.ts";
import { orNull, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { selectStandsOn, standsOn } from "./list-days.ts";

const columns = {
  day: text,
  sealNumber: orNull(text),
  sealHash: orNull(text),
  auditLink: orNull(text),
  auditHash: orNull(text),
  ...standsOn,
};

/**
 * The day (YYYY-MM-DD) of each digest that the books give: from the seals and links that are here now, no stored digest or copy of
 * such a hash is read. The roots of the trees are those that were published: older trees are gone.
 */
export async function recomputeDays(db: Db): Promise<Map<string, string>> {
  const days = await readRows(
    db,
    sql`select d.day::text, d.seal_number::text as "sealNumber", encode(s.hash, 'hex') as "sealHash",
               d.audit_link::text as "auditLink", encode(l.hash, 'hex') as "auditHash", ${selectStandsOn}
          from proof_days d left join ledger_seals s on s.number = d.seal_number left join audit_chain l on l.link = d.audit_link
         order by d.day`,
    columns,
  );
  let previousDigest = "0".repeat(64);
  const dayOf = new Map<string, string>();
  for (const day of days) {
    previousDigest = hashDay({ ...day, previousDigest });
    dayOf.set(previousDigest, day.day);
  }
  return dayOf;
}
