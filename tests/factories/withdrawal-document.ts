import { randomBytes, randomInt, randomUUID, randomUUIDv7 } from "node:crypto";
import { toDecimal } from "#core/money.ts";
import { utcDay } from "#core/utc-day.ts";
import { auditLog } from "#server/identity/schema.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import type { Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { findNewestDigest } from "#server/proof/find-newest-digest.ts";
import { scriptOfMark } from "#server/withdrawals/bitcoin/mark.ts";
import {
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "#server/withdrawals/schema.ts";
import { aTransfer } from "./transfer.ts";

const dayMs = 86_400_000;

/** What a customer takes out, and to where: an address of his book whose cool-down ended at `payableFrom`. */
export interface Leaving {
  withdrawalId: string;
  customerId: string;
  address: string;
  payableFrom: Date;
  units: bigint;
  feeUnits: bigint;
}

/** The request behind a transfer that was posted in the same transaction, under the key `withdrawal-request:<withdrawalId>`. */
export async function documentRequest(
  tx: Tx,
  { withdrawalId, ...leaving }: Leaving,
  { transferId, now }: { transferId: string; now: Date },
): Promise<void> {
  await tx.insert(withdrawals).values({
    id: withdrawalId,
    ...leaving,
    asset: "BTC",
    takesAll: false,
    isFinal: false,
    requestKey: randomUUID(),
    requestedAt: now,
    requestTransferId: transferId,
    dueOn: utcDay(new Date(now.getTime() + dayMs)),
    confirmTokenSha256: randomBytes(32),
    confirmBy: new Date(now.getTime() + dayMs),
  });
}

/** Its end by its customer, as the transfer `withdrawal-cancelled:<withdrawalId>` says it. */
export async function documentCancellation(
  tx: Tx,
  withdrawalId: string,
  { transferId, now }: { transferId: string; now: Date },
): Promise<void> {
  const ended = { state: "cancelled", endedBy: "customer", endedAt: now } as const;
  await tx
    .update(withdrawals)
    .set({ ...ended, endTransferId: transferId })
    .where(eq(withdrawals.id, withdrawalId));
}

/**
 * Its end on the chain, as the transfer `withdrawal-sent:<withdrawalId>` says it: confirmed, approved, and paid by a batch of
 * its own that a block took, whose fee is posted.
 */
export async function documentSending(
  tx: Tx,
  { withdrawalId, customerId, address, units, feeUnits }: Leaving,
  { transferId, walletId, operatorId, now }: Sending,
): Promise<void> {
  const batchId = randomUUIDv7();
  const versionId = randomUUIDv7();
  const payer = { id: operatorId, at: now };
  const change = async (set: Partial<typeof withdrawals.$inferInsert>) => {
    await tx.update(withdrawals).set(set).where(eq(withdrawals.id, withdrawalId));
  };
  await change({ state: "confirmed", confirmedAt: now });
  const subject = `withdrawal:${withdrawalId}`;
  const detail = { amount: `${toDecimal(units, "BTC")} BTC`, address };
  const approval = { subject, customerId, operatorId, detail, now };
  await act(tx, "withdrawals/approve", approval, (approvedByAct) =>
    change({ state: "approved", approvedBy: operatorId, approvedByAct, approvedAt: now }),
  );
  const networkFee = 1_000n;
  const coin = { txid: randomBytes(32).toString("hex"), vout: 0 };
  const batch = { subject: `withdrawal-batch:${batchId}`, operatorId, now };
  await act(tx, "withdrawals/form-batch", batch, async (formedByAct) => {
    await tx.insert(withdrawalBatches).values({
      id: batchId,
      submissionKey: randomUUID(),
      chain: "bitcoin",
      purpose: "withdrawals",
      walletId,
      day: utcDay(now),
      needsTwo: false,
      changeIndex: randomInt(2 ** 31),
      anchorTxid: coin.txid,
      anchorVout: coin.vout,
      formedHeight: 1,
      formedBy: payer.id,
      formedByAct,
      formedAt: payer.at,
    });
    await tx.insert(withdrawalBatchCoins).values({
      batchId,
      ...coin,
      units: units - feeUnits + networkFee,
      branch: 0,
      derivationIndex: 0,
      blockHash: "00".repeat(32),
    });
    await change({ state: "batched", batchId });
    await tx.insert(withdrawalBatchVersions).values({
      id: versionId,
      batchId,
      number: 1,
      feePerKvb: 1000,
      feeUnits: networkFee,
      changeUnits: 0n,
      spends: [`${coin.txid}:${coin.vout}`],
      pays: [withdrawalId],
      txid: randomBytes(32).toString("hex"),
      ...(await aMark(tx)),
      madeBy: payer.id,
      madeByAct: formedByAct,
      madeAt: payer.at,
    });
  });
  const fee = await postTransfer(
    tx,
    aTransfer({
      kind: "network-fee",
      key: `network-fee:${batchId}`,
      ownerId: "house",
      source: batch.subject,
      day: utcDay(now),
      occurredAt: now,
      moves: { network_fee_expense: -networkFee, custody: networkFee },
    }),
  );
  const mined = { minedHeight: 2, minedHash: "00".repeat(32), minedVersionId: versionId };
  const settled = { state: "settled", endedAt: now } as const;
  await tx
    .update(withdrawalBatches)
    .set({ ...settled, ...mined, feeTransferId: fee.transferId })
    .where(eq(withdrawalBatches.id, batchId));
  await change({ ...settled, endTransferId: transferId });
}

const outputOfMark = (mark: Uint8Array) =>
  Buffer.concat([Buffer.alloc(8), Buffer.of(38), scriptOfMark(mark)]);

/** The newest digest, and a file to sign that carries it. */
export async function aMark(tx: Tx): Promise<{ mark: Uint8Array | null; unsigned: Uint8Array }> {
  const mark = await findNewestDigest(tx);
  return { mark, unsigned: mark ? outputOfMark(mark) : randomBytes(1) };
}

interface Sending {
  transferId: string;
  walletId: string;
  operatorId: string;
  /** After the request's due day began. */
  now: Date;
}

async function act(
  tx: Tx,
  name: string,
  { now, customerId = null, detail = {}, ...by }: Act,
  doIt: (auditId: string) => Promise<void>,
): Promise<void> {
  const id = randomUUIDv7();
  const row = { id, act: name, customerId, detail, requestId: null, occurredAt: now };
  await tx.insert(auditLog).values({ ...row, ...by });
  await doIt(id);
}

interface Act {
  subject: string;
  operatorId: string;
  customerId?: string | null;
  detail?: Record<string, string>;
  now: Date;
}
