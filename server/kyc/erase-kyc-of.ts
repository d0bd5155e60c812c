import { retention } from "#core/retention.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { runEach } from "../platform/jobs/run-each.ts";

/**
 * Erases what was said and decided about a customer who left. Of somebody with whom there was business the last approval
 * and the country stated last stay, as long as the law on money laundering asks (`retention.kycYears`, from
 * closing); of everybody else nothing does. Documents go by the sweep, at their own time.
 */
export async function eraseKycOf(tx: Tx | Db, customerId: string, now: Date) {
  await tx.execute(
    sql`select erase_kyc_of(${customerId}, ${retention.kycYears}, ${now.toISOString()})`,
  );
}

/** Erases what was kept of those who left so long ago that no law asks for it any more. */
export async function eraseOldKyc(db: Db, now: Date): Promise<{ erased: number }> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.id from customers c
     where c.erased_at is not null
       and c.closed_at <= ${now.toISOString()}::timestamptz - make_interval(years => ${retention.kycYears}::int)
       and (exists (select from kyc_submissions s where s.customer_id = c.id)
         or exists (select from residence_statements r where r.customer_id = c.id))`);
  await runEach(rows, ({ id }) => eraseKycOf(db, id, now));
  return { erased: rows.length };
}
