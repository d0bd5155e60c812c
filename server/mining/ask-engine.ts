import { Refusal } from "#core/refusal.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import { allowMinutes, type Db, type Tx } from "../platform/database.ts";

/** What PostgreSQL says by a constraint's name, as this room's refusals. */
const refusalByConstraint: Record<string, string> = {
  days_are_over_before_they_are_worked_out: "mining/day-not-over",
  days_are_worked_out_in_order: "mining/day-out-of-order",
  runs_rest_on_evidence: "mining/evidence-incomplete",
  days_have_a_price: "mining/no-price",
  corrections_follow_their_day: "mining/correction-too-early",
};

/** Calls one of the functions of database/mining/ and returns what it says. */
export async function askEngine<Answer>(db: Db | Tx, call: SQL): Promise<Answer> {
  try {
    const { rows } = await db.execute(sql`select ${call} as answer`);
    return (rows[0] as { answer: Answer }).answer;
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The same in a transaction of its own, without the pool's patience: a million contracts take their time. */
export async function askAtLength<Answer>(db: Db, call: SQL): Promise<Answer> {
  return db.transaction(async (tx) => {
    await allowMinutes(tx, 10);
    return askEngine<Answer>(tx, call);
  });
}

function asRefusal(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const constraint = cause instanceof Error && "constraint" in cause ? cause.constraint : undefined;
  const code = typeof constraint === "string" ? refusalByConstraint[constraint] : undefined;
  return code ? new Refusal(code) : cause;
}
