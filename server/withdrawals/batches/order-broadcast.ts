import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq, inArray, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { refusals } from "../refusals.ts";
import { withdrawalBatchVersions, withdrawals, withdrawalTransactions } from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { paymentQueues } from "./follow-soon.ts";
import type { Version } from "./form-batch.ts";
import { lockBatch } from "./rebuild-batch.ts";
import { sumOfWithdrawals } from "./sum-of-withdrawals.ts";

/**
 * Orders that a signed version is sent. Above the limit that is for somebody else than who formed the batch and built the
 * version, and above what one person orders alone within a day. A job sends it: `sendVersion`. Ordered twice, it is one order.
 *
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/changed-meanwhile`,
 * `withdrawals/not-signed`, `withdrawals/second-person-needed`, `withdrawals/customer-frozen` or `-changed` (build it again
 * without him), and as `actAsOperator` does
 */
export async function orderBroadcast(
  db: Db,
  operator: ActingOperator,
  { batchId, number }: { batchId: string; number: number },
  now: Date,
): Promise<void> {
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const { batch, last } = await lockBatch(tx, batchId);
      if (last.number !== number) throw new Refusal("withdrawals/changed-meanwhile");
      if (last.orderedAt) return;
      requireSigned(last);
      requireSecondPerson(operator, batch.needsTwo ? [batch.formedBy, last.madeBy] : []);
      const act = {
        act: "withdrawals/order-broadcast" as const,
        subject: subjectOfBatch(batchId),
        detail: {
          ...(await describe(tx, last)),
          ...(await aloneOf(tx, operator, [batch.formedBy, last.madeBy])),
        },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, orderedByAct) => {
        await inner
          .update(withdrawalBatchVersions)
          .set({ orderedBy: operator.id, orderedByAct, orderedAt: now, fault: null })
          .where(eq(withdrawalBatchVersions.id, last.id));
        await enqueue(
          inner,
          "withdrawals/send",
          { versionId: last.id },
          { key: `withdrawals/send:${last.id}`, queue: paymentQueues[batch.chain] },
        );
      });
    }),
  );
}

/** What leaves, and by which transactions: enough that whoever approves it has approved these payments and no others. */
async function describe(tx: Tx, { id, number, txid, pays, feeUnits }: Version) {
  const { payments, amount } = await sumOfWithdrawals(
    tx,
    inArray(withdrawals.id, pays),
    "without fees",
  );
  const t = withdrawalTransactions;
  const [{ transactions } = { transactions: null }] = await tx
    .select({
      transactions: sql<string | null>`
        encode(sha256(convert_to(string_agg(${t.txid}, E'\n' order by ${t.txid}), 'UTF8')), 'hex')`,
    })
    .from(t)
    .where(eq(t.versionId, id));
  return {
    version: number,
    payments,
    leaves: amount,
    ...(txid
      ? { txid, fee: `${toDecimal(feeUnits, "BTC")} BTC` }
      : { mostFee: `${toDecimal(feeUnits, "ETH")} ETH` }),
    ...(transactions && { sha256OfTransactions: transactions }),
  };
}

/**
 * Whether somebody else orders a version than a person who formed or built it: with what that person ordered alone within 24 hours
 * more leaves by it than one may send (`bounds.orderedAlone`), and somebody else could. PostgreSQL asks the same again.
 */
export async function needsSecondPerson(
  db: Db | Tx,
  operatorId: string,
  versionId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ needed: boolean }>(
    sql`select payments_need_two(${operatorId}::uuid, v) as needed
          from withdrawal_batch_versions v where v.id = ${versionId}::uuid`,
  );
  return rows[0]?.needed ?? false;
}

/** Says where nobody else could have ordered it. */
async function aloneOf(tx: Tx, { id }: ActingOperator, makers: string[]) {
  return makers.includes(id) && (await isAlone(tx, id)) ? { alone: true } : {};
}

/** Whether no other approver or owner has set a password. */
export async function isAlone(db: Db | Tx, operatorId: string): Promise<boolean> {
  const { rows } = await db.execute<{ alone: boolean }>(
    sql`select not another_person_decides(${operatorId}::uuid) as alone`,
  );
  return rows[0]?.alone ?? false;
}

function requireSigned({ signedAt }: { signedAt: Date | null }): void {
  if (!signedAt) throw new Refusal("withdrawals/not-signed");
}

function requireSecondPerson({ id }: ActingOperator, makers: string[]): void {
  if (makers.includes(id)) throw new Refusal("withdrawals/second-person-needed");
}
