import { eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db } from "../platform/database.ts";
import { deposits } from "./schema.ts";

const d = deposits;

/** Another word as soon as one of a customer's deposits is another than before. */
export async function findDepositsMark(db: Db, customerId: string): Promise<string> {
  const [found] = await selectMark(db, { customerId });
  return found?.mark ?? "";
}

const selectMark = prepared((db) =>
  db
    .select({
      mark: sql<string>`md5(coalesce(string_agg(concat_ws(' ', ${d.id}, ${d.state}, ${d.usdCents}), ',' order by ${d.id}), ''))`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_mark"),
);
