import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, inArray, ne, sql } from "#server/platform/sql.ts";
import { readRows, text } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findLack } from "./find-lack.ts";
import { findLeftForOne, getPayoutLimit } from "./get-payout-limit.ts";
import type { DayOfPool, PayoutState } from "./payout.ts";
import { poolPayouts, poolStatements, pools } from "./schema.ts";
import { readStatement } from "./statement/read-statement.ts";
import type { LineFault, StatementLine } from "./statement/statement-line.ts";

/** What recording a file would do with a line of it. */
interface Recorded {
  does: "record";
  /** Why it waits at first: for a second person, or for the pool's coins. */
  secondPerson: false | "amount" | "hashrate" | "coins";
}

export type LineOutcome =
  | Recorded
  /** The same is recorded, or waits, already. */
  | { does: "nothing"; payoutId: string; waits: boolean }
  /** Something else is recorded for this day: that takes a correction. */
  | { does: "differ"; payoutId: string; units: bigint; deliveredGhs: bigint }
  | { does: "leave-out"; fault: LineFault };

export interface ReviewedLine extends StatementLine {
  outcome: LineOutcome;
}

/**
 * Says line by line what recording a kept file would do now, for who records it. The act that records asks the same, so the two cannot
 * differ.
 *
 * @throws Refusal `payouts/no-such-statement`, `payouts/not-a-file`
 */
export async function reviewStatement(
  db: Db | Tx,
  statementId: string,
  now: Date,
  operatorId: string,
): Promise<{ poolId: string; lines: ReviewedLine[] }> {
  const [statement] = await db
    .select({
      poolId: poolStatements.poolId,
      source: poolStatements.source,
      content: poolStatements.content,
      format: pools.format,
      countsFrom: pools.countsFrom,
      countsUntil: pools.countsUntil,
    })
    .from(poolStatements)
    .innerJoin(pools, eq(pools.id, poolStatements.poolId))
    .where(eq(poolStatements.id, statementId));
  if (!statement) throw new Refusal("payouts/no-such-statement");
  if (statement.source !== "file") throw new Refusal("payouts/not-a-file");
  const lines = readStatement(statement.format, statement.content);
  const days = lines.flatMap(({ said }) => said?.day ?? []);
  const [known, limit, left, { lack, covers }, doubtful] = await Promise.all([
    listCurrent(db, statement.poolId, days),
    getPayoutLimit(db),
    findLeftForOne(db, operatorId),
    findLack(db, { poolId: statement.poolId, units: 1n, corrects: null }),
    listDoubtful(
      db,
      operatorId,
      lines.flatMap(({ said }) => said ?? []),
    ),
  ]);
  const over = lack === null ? null : covers || lack > 0n ? 1n - lack : 0n;
  const facts = { ...statement, today: utcDay(now), limit, left, over, doubtful };
  return {
    poolId: statement.poolId,
    lines: lines.map((line) => {
      const outcome = judge(line, facts, line.said ? known.get(line.said.day) : undefined);
      const isAlone = outcome.does === "record" && !outcome.secondPerson;
      const units = line.said?.units ?? 0n;
      if (isAlone && facts.over !== null) facts.over -= units;
      else if (isAlone && facts.left !== null) facts.left -= units;
      return { ...line, outcome };
    }),
  };
}

interface Facts {
  countsFrom: string;
  countsUntil: string | null;
  today: string;
  limit: bigint;
  /** What this person may still record alone; null: no other person decides. */
  left: bigint | null;
  /** What is over of the pool's coins; null: none are asked for. */
  over: bigint | null;
  /** Days whose hashrate does not fit what was paid. */
  doubtful: Set<string>;
}

function judge(
  { said, fault }: StatementLine,
  facts: Facts,
  there: Known | undefined,
): LineOutcome {
  if (fault || !said) return { does: "leave-out", fault: fault ?? "not-a-day" };
  if (said.day >= facts.today) return { does: "leave-out", fault: "day-not-over" };
  if (there) return compare(said, there);
  const counts = said.day >= facts.countsFrom && said.day <= (facts.countsUntil ?? said.day);
  if (!counts) return { does: "leave-out", fault: "day-does-not-count" };
  return { does: "record", secondPerson: whyTwo(said, facts) };
}

function whyTwo({ day, units }: DayOfPool, facts: Facts): Recorded["secondPerson"] {
  const isMuch = units > facts.limit || (facts.left !== null && units > facts.left);
  if (facts.over === null && isMuch) return "amount";
  if (facts.doubtful.has(day)) return "hashrate";
  return facts.over !== null && units > 0n && units > facts.over ? "coins" : false;
}

async function listDoubtful(
  db: Db | Tx,
  operatorId: string,
  said: DayOfPool[],
): Promise<Set<string>> {
  const all = JSON.stringify(
    said.map(({ day, units, deliveredGhs }) => ({
      day,
      units: `${units}`,
      ghs: `${deliveredGhs}`,
    })),
  );
  const rows = await readRows(
    db,
    sql`
    select day::text from jsonb_to_recordset(${all}::jsonb) said (day date, units numeric, ghs numeric)
     where payout_hashrate_needs_two(${operatorId}, units, ghs, day)`,
    { day: text },
  );
  return new Set(rows.map(({ day }) => day));
}

function compare(said: DayOfPool, there: Known): LineOutcome {
  const { payoutId, units, deliveredGhs, state } = there;
  const isSame = units === said.units && deliveredGhs === said.deliveredGhs;
  return isSame
    ? { does: "nothing", payoutId, waits: state === "proposed" }
    : { does: "differ", payoutId, units, deliveredGhs };
}

interface Known {
  payoutId: string;
  day: string;
  units: bigint;
  deliveredGhs: bigint;
  state: PayoutState;
}

/** What is recorded or waits for days of a pool: the last of each chain of corrections. */
async function listCurrent(
  db: Db | Tx,
  poolId: string,
  days: string[],
): Promise<Map<string, Known>> {
  if (days.length === 0) return new Map();
  const p = poolPayouts;
  const rows = await db
    .select({
      payoutId: p.id,
      day: p.day,
      units: p.units,
      deliveredGhs: p.deliveredGhs,
      state: p.state,
    })
    .from(p)
    .where(
      and(
        eq(p.poolId, poolId),
        inArray(p.day, days),
        ne(p.state, "refused"),
        sql`not exists (select from pool_payouts c where c.corrects = ${p.id} and c.state = 'recorded')`,
        // A correction that only waits changes nothing yet.
        sql`(${p.corrects} is null or ${p.state} = 'recorded')`,
      ),
    );
  return new Map(rows.map((row) => [row.day, row]));
}
