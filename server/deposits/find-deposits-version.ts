import { eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db } from "../platform/database.ts";
import { deposits } from "./schema.ts";

const d = deposits;

/** Another word as soon as one of a customer's deposits is another than before. */
export async function findDepositsVersion(db: Db, customerId: string): Promise<string> {
  const [found] = await selectVersion(db, { customerId });
  return found?.version ?? "";
}

const selectVersion = prepared((db) =>
  db
    .select({
      version: sql<string>`md5(coalesce(string_agg(concat_ws(' ', ${d.id}, ${d.state}, ${d.usdCents}), ',' order by ${d.id}), ''))`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_version"),
);
