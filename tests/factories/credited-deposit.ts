import { randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import { coinOfMethod, depositMethods } from "#core/payments/deposit.ts";
import { utcDay } from "#core/utc-day.ts";
import { slipPath } from "#server/deposits/deposit.ts";
import { depositSlips, deposits } from "#server/deposits/schema.ts";
import { actAsSystem } from "#server/identity/audit/act-as-operator.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { aDeposit } from "./transfer.ts";

/**
 * Coins of a customer that arrived, with the document that the ledger asks for: a deposit with a slip, approved at once.
 * Nobody is told of it, and the slip's file is nowhere.
 */
export function creditTestDeposit(
  db: Db | Tx,
  customerId: string,
  units: bigint,
  { asset = "BTC", now = new Date() }: { asset?: Coin; now?: Date } = {},
): Promise<{ depositId: string; transferId: string }> {
  return db.transaction(async (tx) => {
    const depositId = randomUUIDv7();
    const key = `deposit:${depositId}`;
    const fact = { key, source: key, asset, day: utcDay(now), occurredAt: now };
    const { transferId } = await postTransfer(tx, aDeposit(customerId, units, fact));
    await documentDeposit(tx, { depositId, customerId, asset, units, transferId, now });
    return { depositId, transferId };
  });
}

/** The deposit behind a transfer that was posted in the same transaction, under the key `deposit:<depositId>`. */
export async function documentDeposit(
  tx: Tx,
  {
    depositId,
    customerId,
    asset,
    units,
    transferId,
    now,
  }: {
    depositId: string;
    customerId: string;
    asset: Coin;
    units: bigint;
    transferId: string;
    now: Date;
  },
): Promise<void> {
  const slipId = randomUUIDv7();
  const method = depositMethods.find((each) => coinOfMethod[each] === asset) ?? "Bitcoin";
  const sha256 = randomBytes(32);
  await tx.insert(depositSlips).values({
    id: slipId,
    customerId,
    fileKey: `slips/${slipId}`,
    originalName: "slip.pdf",
    mediaType: "application/pdf",
    byteSize: 1,
    originalSha256: sha256,
    sha256,
    createdAt: now,
    storedAt: now,
    submittedAt: now,
  });
  await tx.insert(deposits).values({
    id: depositId,
    customerId,
    submissionKey: randomUUID(),
    method,
    slipId,
    declaredOn: utcDay(now),
    claimedUsdCents: 100n,
    usdCents: 100n,
    createdAt: now,
  });
  const act = { act: "deposits/approve", subject: `deposit:${depositId}`, customerId };
  const txid = `${asset === "BTC" ? "" : "0x"}${randomBytes(32).toString("hex")}`;
  const detail = {
    quantity: `${toDecimal(units, asset)} ${asset}`,
    txid,
    output: null,
    claimedUsd: "1.00",
    approvedUsd: "1.00",
  };
  await actAsSystem(tx, { ...act, detail, now }, async (inner, reviewActionId) => {
    await inner
      .update(deposits)
      .set({
        state: "approved",
        quantityUnits: units,
        txid,
        transferId,
        reviewActionId,
        imageUrl: slipPath(depositId),
        reviewedAt: now,
      })
      .where(eq(deposits.id, depositId));
  });
}
