import { readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { inPages } from "../../platform/jobs/run-each.ts";
import { askAtLength } from "../ask-engine.ts";

const atOnce = 1000;

/**
 * Takes unpaid maintenance from customers whose balance covers the oldest of it, oldest first, as far as it goes. The
 * clock of a contract stops when nothing of it is left unpaid.
 *
 * @returns how many customers paid.
 */
export async function collectArrears(db: Db, now: Date): Promise<{ paid: number }> {
  let paid = 0;
  let customers: string[] = [];
  const collect = async () => {
    const some = sql.param(customers);
    const call = sql`mining_collect_arrears(${now.toISOString()}::timestamptz, ${some}::uuid[])`;
    if (customers.length > 0) paid += await askAtLength<number>(db, call);
    customers = [];
  };
  for await (const { id } of inPages((after) => listWhoOwe(db, after))) {
    customers.push(id);
    if (customers.length === atOnce) await collect();
  }
  await collect();
  return { paid };
}

/** Customers with maintenance that is unpaid, some at a time. */
function listWhoOwe(db: Db, after: string): Promise<Array<{ id: string }>> {
  const owe = sql`
    select distinct customer_id as id from maintenance_arrears
     where state = 'open' and customer_id > ${after}::uuid order by customer_id limit ${atOnce}`;
  return readRows(db, owe, { id: text });
}
