import { randomUUID, randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { coinOfMethod, type DepositMethod, depositMethods } from "#core/payments/deposit.ts";
import { valueInUsdCents } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, ne } from "#server/platform/sql.ts";
import { sumInternalEther } from "../../chain/ethereum/sum-internal-ether.ts";
import { findConfirmations } from "../../chain/find-confirmations.ts";
import { isConfirmed, type Needed } from "../../chain/payment.ts";
import { type LockedPayment, lockPayment, markSettled } from "../../chain/settle-payment.ts";
import { findOwnerOfAddress } from "../../chain/wallets/find-owner-of-address.ts";
import { lockCustomer } from "../../identity/account/lock-customer.ts";
import { findFreshPrice } from "../../markets/find-fresh-price.ts";
import { pinPrice } from "../../markets/pin-price.ts";
import { sendNoticeLater } from "../../notices/send-notice.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { overtakeApproval } from "../approval-proposals.ts";
import { depositPath, slipPath } from "../deposit.ts";
import { isCountedAs } from "../is-counted-as.ts";
import { postDeposit } from "../post-deposit.ts";
import { refusals } from "../refusals.ts";
import { deposits } from "../schema.ts";
import { matchSlip } from "../slips/match-slip.ts";

interface Due {
  paymentId: string;
  needed: Needed;
  /** As configured. */
  internalEtherUnits: bigint;
  now: Date;
}

/**
 * Credits a payment that has its confirmations to whose address it paid: by the slip of his that it matches, else as a
 * deposit of its own. Its dollars are those of the stored price; without a fresh one the coins are credited all the same
 * and valued later. What is counted already is left alone, so any number may do it at once. One transaction; locks the
 * payment; enqueues the notice to the customer.
 *
 * @throws Refusal `deposits/payment-already-credited` when it was counted as something else, which staff have to look at,
 * `deposits/may-be-the-operators` when a payout or own money of its amount names its transaction, `deposits/internal-payment` when it is
 * ether of a contract and more than `internalEtherUnits` with that of a day, and `deposits/account-closed`
 */
export async function creditPayment(
  db: Db,
  { paymentId, needed, internalEtherUnits, now }: Due,
): Promise<void> {
  await db.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment?.counts || payment.settledAt) return;
    const counted = await findConfirmations(tx, paymentId);
    if (!isConfirmed(counted, needed)) return;
    const finalized = needed === "finalized";
    const confirmations = finalized ? counted.confirmations : needed;
    if (!(await isCounted(tx, payment))) {
      const customerId = await lockOwner(tx, payment.address);
      await limitInternalEther(tx, { paymentId, internalEtherUnits, now });
      await credit(tx, { customerId, payment, confirmations, finalized, now });
    }
    await markSettled(tx, paymentId, now);
  });
}

/** Whether staff approved a slip against it before: one of its customer's. */
async function isCounted(tx: Tx, payment: LockedPayment): Promise<boolean> {
  const [counted] = await tx
    .select({ customerId: deposits.customerId })
    .from(deposits)
    .where(and(isCountedAs(payment), ne(deposits.state, "reversed")));
  if (!counted) return false;
  if (counted.customerId !== (await findOwnerOfAddress(tx, payment.address))) {
    throw new Refusal("deposits/payment-already-credited");
  }
  return true;
}

/** Before the ledger's accounts, as who closes an account takes them; and of two credits at once the second one counts the first. */
async function lockOwner(tx: Tx, address: string): Promise<string> {
  const customerId = await findOwnerOfAddress(tx, address);
  if (!customerId) throw new Error("a payment goes to somebody's address");
  await lockCustomer(tx, customerId);
  return customerId;
}

/** Up to a sum the node's word is enough: docs/decisions/0044. */
async function limitInternalEther(
  tx: Tx,
  { paymentId, internalEtherUnits, now }: Omit<Due, "needed">,
): Promise<void> {
  const byWord = await sumInternalEther(tx, { paymentId, now });
  if (byWord !== null && byWord > internalEtherUnits) {
    throw new Refusal("deposits/internal-payment");
  }
}

interface Credit {
  customerId: string;
  payment: LockedPayment;
  confirmations: number;
  finalized: boolean;
  now: Date;
}

async function credit(
  tx: Tx,
  { customerId, payment, confirmations, finalized, now }: Credit,
): Promise<void> {
  const { txid, outputIndex, asset, units } = payment;
  const method = methodOf(asset);
  const price = await findFreshPrice(tx, asset, now);
  const worth = price && valueInUsdCents(units, asset, price.usdE8);
  const slip =
    worth === null ? null : await matchSlip(tx, { customerId, method, usdCents: worth, txid });
  const depositId = slip ? slip.depositId : randomUUIDv7();
  const paid = `transaction ${txid}${asset === "BTC" ? `, output ${outputIndex}` : ""}`;
  const memo = `${method} deposit, ${paid}`;
  const posted = { depositId, customerId, method, quantityUnits: units, memo, now };
  const { transferId } = await postDeposit(tx, posted);
  if (price) await pinPrice(tx, price);
  const credited = {
    ...({ state: "approved", paymentId: payment.id, txid, outputIndex } as const),
    confirmations,
    finalized,
    quantityUnits: units,
    transferId,
    reviewedAt: now,
    paymentPriceId: price?.priceId ?? null,
  };
  await refusedBy(refusals, () =>
    slip
      ? tx
          .update(deposits)
          .set({ ...credited, imageUrl: slipPath(depositId) })
          .where(eq(deposits.id, depositId))
      : tx.insert(deposits).values({
          id: depositId,
          customerId,
          submissionKey: randomUUID(),
          method,
          declaredOn: utcDay(now),
          createdAt: payment.seenAt,
          usdCents: worth,
          ...credited,
          imageUrl: depositPath(depositId),
        }),
  );
  if (slip) await overtakeApproval(tx, { depositId, txid });
  await tell(tx, { customerId, depositId, method, payment, slip, worth });
}

interface Told {
  customerId: string;
  depositId: string;
  method: DepositMethod;
  payment: LockedPayment;
  slip: { claimedUsdCents: bigint } | null;
  worth: bigint | null;
}

async function tell(tx: Tx, { customerId, depositId, method, payment, slip, worth }: Told) {
  const { asset, units, txid } = payment;
  const facts = { depositId, method, asset, units };
  await sendNoticeLater(tx, {
    customerId,
    notice: slip
      ? { kind: "deposit-approved", usdCents: slip.claimedUsdCents, ...facts }
      : { kind: "deposit-credited", usdCents: worth, txid, ...facts },
  });
}

function methodOf(asset: Coin): DepositMethod {
  const method = depositMethods.find((each) => coinOfMethod[each] === asset);
  if (!method) throw new Error(`no method brings ${asset}`);
  return method;
}
