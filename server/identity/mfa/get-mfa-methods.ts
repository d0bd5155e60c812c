import { sql } from "#server/platform/sql.ts";
import { flag, getRow } from "../../platform/database/read-rows.ts";
import type { Db } from "../../platform/database.ts";
import { passkeys, totpSecrets } from "../schema.ts";

/** Which second factors a user has. */
export async function getMfaMethods(
  db: Db,
  userId: string,
): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
  return getRow(
    db,
    sql`
    select
      exists (select from ${totpSecrets}
        where user_id = ${userId} and confirmed_at is not null) as "hasApp",
      exists (select from ${passkeys} where user_id = ${userId}) as "hasPasskey"`,
    { hasApp: flag, hasPasskey: flag },
  );
}
