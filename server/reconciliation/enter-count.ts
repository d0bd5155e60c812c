import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { countMaxAgeDays, countWalletsMax, maxCountUnits } from "#core/payments/custody-count.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { takeEvidence } from "../adjustments/take-evidence.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { refusals } from "./refusals.ts";
import { custodyCounts } from "./schema.ts";

/** What somebody read in all of the operator's wallets of a coin. */
export interface Count {
  /** Minted with the form. The same key is the same count, however often it arrives. */
  submissionKey: string;
  asset: Coin;
  units: bigint;
  /** The moment that the wallets were read for. */
  asOf: Date;
  blockHeight: number | null;
  /** Which wallets, and how they were read. */
  wallets: string;
  /** A draft of this operator, see `adjustments/keep-evidence`. */
  evidenceId: string;
}

/**
 * Enters a count, which says nothing until somebody else confirms it. The same submission again is answered as the first
 * was.
 *
 * Refuses with reconciliation/amount-out-of-range, reconciliation/not-of-the-last-week, reconciliation/wallets-missing,
 * platform/sent-otherwise, adjustments/evidence-not-found, and as `actAsOperator` does.
 */
export async function enterCount(
  db: Db,
  operator: ActingOperator,
  entered: Count,
  now: Date,
): Promise<{ countId: string; repeated: boolean }> {
  const count = check(entered, now);
  return db.transaction(async (tx) => {
    const first = await findFirst(tx, operator, count);
    if (first) return { countId: first, repeated: true };
    await takeEvidence(tx, operator, count.evidenceId, now);
    return { countId: await insert(tx, operator, count, now), repeated: false };
  });
}

function check(count: Count, now: Date): Count {
  const { asset, units, asOf } = count;
  if (units < 0n || units > maxCountUnits[asset]) {
    throw new Refusal("reconciliation/amount-out-of-range");
  }
  const ageMs = now.getTime() - asOf.getTime();
  if (!(ageMs >= 0 && ageMs < countMaxAgeDays * 86_400_000)) {
    throw new Refusal("reconciliation/not-of-the-last-week");
  }
  const wallets = count.wallets.replace(/[\p{Cc}\s]+/gu, " ").trim();
  if (wallets === "" || wallets.length > countWalletsMax) {
    throw new Refusal("reconciliation/wallets-missing");
  }
  return { ...count, wallets };
}

/** Equal submissions wait here for the first of them, and are answered as it was. */
async function findFirst(tx: Tx, operator: ActingOperator, count: Count): Promise<string | null> {
  const { submissionKey } = count;
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('reconciliation.submission:' || ${submissionKey}, 0))`,
  );
  const c = custodyCounts;
  const [first] = await tx
    .select()
    .from(c)
    .where(and(eq(c.proposedBy, operator.id), eq(c.submissionKey, submissionKey)));
  // Who retries without JavaScript uploads the same file again: another draft.
  const { evidenceId: _file, ...said } = count;
  return sentBefore(first, said) ? first.id : null;
}

async function insert(tx: Tx, operator: ActingOperator, count: Count, now: Date): Promise<string> {
  const id = randomUUIDv7();
  const { asset, units, asOf, wallets } = count;
  const act = {
    act: "reconciliation/count" as const,
    subject: `count:${id}`,
    detail: {
      amount: `${formatAmount(units, asset)} ${asset}`,
      asOf: asOf.toISOString(),
      wallets,
    },
    now,
  };
  await refusedBy(refusals, () =>
    actAsOperator(tx, operator, act, (inner, auditId) =>
      inner.insert(custodyCounts).values({
        ...count,
        id,
        proposedBy: operator.id,
        proposedByAct: auditId,
        proposedAt: now,
      }),
    ),
  );
  return id;
}
