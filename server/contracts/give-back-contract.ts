import { isUuid } from "#core/is-uuid.ts";
import { canBeGivenBack } from "#core/mining/contract-state.ts";
import { Refusal } from "#core/refusal.ts";
import { addDays } from "#core/utc-day.ts";
import { and, eq } from "#server/platform/sql.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findVersion } from "./plans/find-version.ts";
import { contracts } from "./schema.ts";

/**
 * Gives a first contract back while it can be: every coin paid returns to the balance, by reversing the purchase, and the
 * hashrate is free again. He is told. Doing it twice is doing it once.
 *
 * Locks as `buyContract` does.
 *
 * @throws Refusal `contracts/no-such-contract`, `contracts/kept` when it was no first contract or the time is over
 */
export async function giveBackContract(
  db: Db,
  { customerId, contractId }: { customerId: string; contractId: string },
  now: Date,
): Promise<{ repeated: boolean }> {
  if (!isUuid(contractId)) throw new Refusal("contracts/no-such-contract");
  return db.transaction(async (tx) => {
    await lockCustomer(tx, customerId);
    const [contract] = await tx
      .select()
      .from(contracts)
      .where(and(eq(contracts.id, contractId), eq(contracts.customerId, customerId)))
      .for("update");
    if (!contract) throw new Refusal("contracts/no-such-contract");
    if (contract.endReason === "given-back") return { repeated: true };
    if (!canBeGivenBack(contract, now)) throw new Refusal("contracts/kept");
    await reverseTransfer(tx, {
      transferId: contract.transferId,
      key: `contract-given-back:${contractId}`,
      occurredAt: now,
      memo: "Given back while a first contract can be",
    });
    await tx
      .update(contracts)
      .set({ lastDay: addDays(contract.startsOn, -1), endReason: "given-back", endedAt: now })
      .where(eq(contracts.id, contractId));
    const plan = await getPlanName(tx, contract.planVersionId);
    const { quantity, coin: asset, units } = contract;
    await sendNoticeLater(tx, {
      customerId,
      notice: { kind: "contract-given-back", contractId, plan, quantity, asset, units },
    });
    return { repeated: false };
  });
}

async function getPlanName(tx: Tx, planVersionId: string): Promise<string> {
  const version = await findVersion(tx, planVersionId);
  if (!version) throw new Error("a contract has a plan");
  return version.name;
}
