import { isUuid } from "#core/is-uuid.ts";
import { formatAmount } from "#core/money.ts";
import { explanationMax } from "#core/payments/custody-count.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { custodyExplanations, custodyHoldings } from "./schema.ts";

/**
 * Says why what lay on chain is not what the ledger says. It moves nothing and lifts nothing: only a later holding
 * that covers everything lets contracts be sold again.
 *
 * Refuses with reconciliation/not-found, reconciliation/nothing-to-explain, reconciliation/already-explained,
 * reconciliation/reason-missing, and as `actAsOperator` does.
 */
export async function explainDifference(
  db: Db,
  operator: ActingOperator,
  { holdingId, words }: { holdingId: string; words: string },
  now: Date,
): Promise<void> {
  const said = words.replaceAll("\0", "").trim().slice(0, explanationMax);
  if (said === "") throw new Refusal("reconciliation/reason-missing");
  if (!isUuid(holdingId)) throw new Refusal("reconciliation/not-found");
  await db.transaction(async (tx) => {
    const isThis = eq(custodyHoldings.id, holdingId);
    const [holding] = await tx.select().from(custodyHoldings).where(isThis);
    if (!holding) throw new Refusal("reconciliation/not-found");
    const { asset, units, custodyUnits } = holding;
    if (units === custodyUnits) throw new Refusal("reconciliation/nothing-to-explain");
    const detail = {
      difference: `${formatAmount(units - custodyUnits, asset)} ${asset}`,
      words: said,
    };
    const act = {
      act: "reconciliation/explain" as const,
      subject: `holding:${holdingId}`,
      detail,
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, actId) => {
      const written = await inner
        .insert(custodyExplanations)
        .values({ holdingId, words: said, operatorId: operator.id, actId, explainedAt: now })
        .onConflictDoNothing()
        .returning({ holdingId: custodyExplanations.holdingId });
      if (written.length === 0) throw new Refusal("reconciliation/already-explained");
    });
  });
}
