import { type SQL, sql } from "#server/platform/sql.ts";
import { innermostCause } from "../platform/database/innermost-cause.ts";
import { allowMinutes, type Db, type Tx } from "../platform/database.ts";
import { refusalBehind } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";

/** Calls one of the functions of database/mining/ and returns what it says. */
export async function askEngine<Answer>(db: Db | Tx, call: SQL): Promise<Answer> {
  try {
    const { rows } = await db.execute(sql`select ${call} as answer`);
    return (rows[0] as { answer: Answer }).answer;
  } catch (error) {
    throw refusalBehind(refusals, error) ?? innermostCause(error);
  }
}

/** The same in a transaction of its own, without the pool's patience: a million contracts take their time. */
export async function askAtLength<Answer>(db: Db, call: SQL): Promise<Answer> {
  return db.transaction(async (tx) => {
    await allowMinutes(tx, 10);
    return askEngine<Answer>(tx, call);
  });
}
