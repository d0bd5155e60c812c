import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import { type BatchPurpose, chainOf } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { sentBefore } from "../../platform/sent-before.ts";
import type { Withdrawal } from "../give-back.ts";
import { refusals } from "../refusals.ts";
import { withdrawalBatches, withdrawalBatchVersions, withdrawals } from "../schema.ts";
import { failedAt } from "../select-withdrawals.ts";
import { subjectOfBatch } from "../withdrawal.ts";

/** One transaction that nodes of Bitcoin relay holds so many payments (100,000 vbytes); a file for an offline signer, too. */
const maxPayments = 1000;

type BatchRow = typeof withdrawalBatches.$inferInsert;
type VersionRow = typeof withdrawalBatchVersions.$inferInsert;
export type Batch = typeof withdrawalBatches.$inferSelect;
export type Version = typeof withdrawalBatchVersions.$inferSelect;

/** What is to be signed, and what of it the version's row keeps. */
export interface BuiltVersion {
  columns: Pick<
    VersionRow,
    | "feePerKvb"
    | "maxFeePerGas"
    | "maxPriorityFeePerGas"
    | "feeUnits"
    | "changeUnits"
    | "txid"
    | "mark"
  > &
    Required<Pick<VersionRow, "spends" | "pays" | "unsigned">>;
  /** What the audit log says of it. */
  detail: Record<string, string | number>;
  /** What the chain keeps beside batch and version, before the version is written and after. */
  before?: (tx: Tx, batchId: string) => Promise<void>;
  after?: (tx: Tx, versionId: string) => Promise<void>;
}

/** How a batch of a chain is built. All that a node had to say was asked before: nothing waits for it with rows locked. */
export interface BatchPlan {
  chain: WalletChain;
  purpose: BatchPurpose;
  /** Batches of the same wallet or hot wallet are formed one after the other. */
  lockedBy: string;
  formedHeight: number;
  /** Of what is due these are paid. */
  only: string[];
  build(
    tx: Tx,
    due: Withdrawal[],
    ids: { batchId: string; day: string },
  ): Promise<BuiltVersion & { row: Partial<BatchRow> }>;
}

export interface NewBatch {
  /** Minted with the form. The same key is the same batch. */
  submissionKey: string;
  /** Above these totals, who orders the broadcast must be somebody else. */
  twoPeople: Record<Coin, { twoPeopleAboveUnits: bigint }>;
}

/**
 * Forms the batch of the day out of the withdrawals of a chain that its plan pays and that are still due, and builds what is
 * to be signed. From here on their customers cannot cancel.
 *
 * @throws Refusal `withdrawals/nothing-due`, what the plan refuses, and as `actAsOperator` does
 */
export async function formBatch(
  db: Db,
  operator: ActingOperator,
  { submissionKey, twoPeople, plan }: NewBatch & { plan: BatchPlan },
  now: Date,
): Promise<{ batchId: string }> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('withdrawals.batch:' || ${plan.lockedBy}, 0))`,
      );
      const { chain, purpose } = plan;
      const formed = await findFormed(tx, submissionKey, { chain, purpose });
      if (formed) return formed;
      const pays = plan.purpose === "withdrawals";
      const due = pays ? await lockDue(tx, plan, now) : [];
      const [batchId, day] = [randomUUIDv7(), utcDay(now)];
      const { row, ...built } = await plan.build(tx, due, { batchId, day });
      const needsTwo = !pays || isAboveLimit(due, twoPeople);
      const act = {
        act: pays ? ("withdrawals/form-batch" as const) : ("withdrawals/consolidate" as const),
        subject: subjectOfBatch(batchId),
        detail: { ...built.detail, needsTwo },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, formedByAct) => {
        await inner.insert(withdrawalBatches).values({
          id: batchId,
          submissionKey,
          chain,
          purpose,
          day,
          ...row,
          needsTwo,
          formedHeight: plan.formedHeight,
          formedBy: operator.id,
          formedByAct,
          formedAt: now,
        });
        const ids = due.map(({ id }) => id);
        await inner
          .update(withdrawals)
          .set({ state: "batched", batchId })
          .where(inArray(withdrawals.id, ids));
        const made = { madeBy: operator.id, madeByAct: formedByAct, madeAt: now };
        await insertVersion(inner, built, { batchId, number: 1, ...made });
      });
      return { batchId };
    }),
  );
}

/**
 * The batch that a form made which arrives again, or null: looked up before it is planned, for by now there may be nothing more to pay.
 *
 * @throws Refusal `platform/sent-otherwise`
 */
export async function findFormed(
  db: Db | Tx,
  submissionKey: string,
  said: { outpoints?: string[] } & Pick<Batch, "chain" | "purpose"> &
    Partial<Pick<Version, "feePerKvb" | "maxFeePerGas" | "maxPriorityFeePerGas">>,
): Promise<{ batchId: string } | null> {
  const [b, v] = [withdrawalBatches, withdrawalBatchVersions];
  const [formed] = await db
    .select({ ...getTableColumns(v), chain: b.chain, purpose: b.purpose })
    .from(b)
    .innerJoin(v, and(eq(v.batchId, b.id), eq(v.number, 1)))
    .where(eq(b.submissionKey, submissionKey));
  const { outpoints = [], ...rest } = said;
  if (!sentBefore(formed, rest)) return null;
  if (outpoints.some((each) => !formed.spends.includes(each))) {
    throw new Refusal("platform/sent-otherwise");
  }
  return { batchId: formed.batchId };
}

/** What is approved, due, and may leave now. */
export function isDue(chain: WalletChain, now: Date): SQL {
  return isDueAt(chain, sql`${now.toISOString()}::timestamptz`);
}

/** The same at a moment that is a term of SQL. */
export function isDueAt(chain: WalletChain, at: SQL): SQL {
  const w = withdrawals;
  const coins = sql.raw(`'${coinsOf(chain).join("', '")}'`);
  return sql`${w.state} = 'approved' and ${w.asset} in (${coins}) and ${w.dueOn} <= (${at} at time zone 'UTC')::date
    and ${w.payableFrom} <= ${at} and not is_withdrawal_held(${w.id}, ${at})
    and not payments_are_blocked(${w.customerId}, ${w.asset}, ${at}) and not has_reverted_before(${w.address}, ${w.asset})
    and (not ${w.isFinal} or exists (
      select from account_closings c where c.customer_id = ${w.customerId} and c.state = 'waiting'))`;
}

export function coinsOf(chain: WalletChain): Coin[] {
  return (Object.keys(chainOf) as Coin[]).filter((coin) => chainOf[coin] === chain);
}

/** What is due now, all of it or a part: what the node said would fail comes last, otherwise the oldest first. */
export function listDue(
  db: Db | Tx,
  chain: WalletChain,
  { now, where, most = maxPayments }: { now: Date; where?: SQL; most?: number },
) {
  const w = withdrawals;
  return db
    .select()
    .from(w)
    .where(and(isDue(chain, now), where))
    .orderBy(sql`${failedAt} nulls first`, asc(w.requestedAt), asc(w.id))
    .limit(most)
    .$dynamic();
}

async function lockDue(tx: Tx, { chain, only }: BatchPlan, now: Date): Promise<Withdrawal[]> {
  const where = inArray(withdrawals.id, only);
  const due = await listDue(tx, chain, { now, where }).for("update");
  if (due.length === 0) throw new Refusal("withdrawals/nothing-due");
  return due;
}

function isAboveLimit(due: Withdrawal[], limits: NewBatch["twoPeople"]): boolean {
  return (Object.keys(limits) as Coin[]).some((coin) => {
    const total = due.reduce((sum, each) => (each.asset === coin ? sum + each.units : sum), 0n);
    return total > limits[coin].twoPeopleAboveUnits;
  });
}

export function toPayment({ address, units, feeUnits }: Withdrawal) {
  return { address, units: units - feeUnits };
}

/** What is paid in all, coin by coin: `0.002 BTC`, `1 ETH, 20 USDT`. */
export function totalInWords(paid: Withdrawal[]): string {
  const coins = [...new Set(paid.map(({ asset }) => asset))];
  return coins
    .map((coin) => {
      const of = paid.filter(({ asset }) => asset === coin);
      const total = of.reduce((sum, each) => sum + toPayment(each).units, 0n);
      return `${toDecimal(total, coin)} ${coin}`;
    })
    .join(", ");
}

export async function insertVersion(
  tx: Tx,
  { columns, before, after }: BuiltVersion,
  row: Pick<VersionRow, "batchId" | "number" | "reason" | "madeBy" | "madeByAct" | "madeAt">,
): Promise<void> {
  const id = randomUUIDv7();
  await before?.(tx, row.batchId);
  await tx.insert(withdrawalBatchVersions).values({ id, ...row, ...columns });
  await after?.(tx, id);
}
