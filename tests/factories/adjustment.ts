import { randomBytes, randomUUID } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import type { GiftKind, OutlayKind } from "#core/payments/adjustments.ts";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { keepEvidence } from "#server/adjustments/keep-evidence.ts";
import { proposeAdjustment, proposeReversal } from "#server/adjustments/propose-adjustment.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { notScanned, uniquePicture } from "./deposit.ts";

interface Product {
  db: Db;
  files: FileStore;
}

interface Staff {
  maker: ActingOperator;
  checker: ActingOperator;
}

interface Gift {
  units: bigint;
  kind?: GiftKind;
  asset?: Coin;
  reason?: string;
}

/** A gift that waits for a second person, with a picture as its evidence. */
export async function proposeGift(
  product: Product,
  maker: ActingOperator,
  customerId: string,
  { units, kind = "goodwill", asset = "BTC", reason = "We were late, and are sorry." }: Gift,
): Promise<string> {
  const now = new Date();
  const file = { name: "evidence.png", bytes: await uniquePicture() };
  const { evidenceId } = await keepEvidence(
    { ...product, scanForViruses: notScanned },
    maker.id,
    file,
    now,
  );
  const gift = { kind, customerId, asset, units, reason, note: "As agreed by phone", evidenceId };
  const proposal = { ...gift, submissionKey: randomUUID(), txid: null };
  return (await proposeAdjustment(product.db, maker, proposal, now)).adjustmentId;
}

/** A gift that was approved, out of money that was paid in for it. */
export async function give(
  product: Product,
  staff: Staff,
  customerId: string,
  { fund = true, ...gift }: Gift & { fund?: boolean },
): Promise<string> {
  if (fund) {
    await fundEquity(product, staff, {
      units: gift.units,
      ...(gift.asset && { asset: gift.asset }),
    });
  }
  const id = await proposeGift(product, staff.maker, customerId, gift);
  await approveAdjustment(product.db, staff.checker, id, new Date());
  return id;
}

/** The operator's own money, paid in. */
export async function fundEquity(
  { db }: Product,
  { maker, checker }: Staff,
  { units, asset = "BTC", txid }: { units: bigint; asset?: Coin; txid?: string },
): Promise<string> {
  const now = new Date();
  const id = randomBytes(32).toString("hex");
  const { adjustmentId } = await proposeAdjustment(
    db,
    maker,
    {
      submissionKey: randomUUID(),
      kind: "equity-funding",
      customerId: null,
      asset,
      units,
      reason: "Own coins",
      note: "",
      evidenceId: null,
      txid: txid ?? (asset === "BTC" ? id : `0x${id}`),
    },
    now,
  );
  await approveAdjustment(db, checker, adjustmentId, now);
  return adjustmentId;
}

/** Coins that left the wallets for the operator, or moved between them; it waits for a second person. */
export async function proposeOutlay(
  product: Product,
  maker: ActingOperator,
  outlay: { kind: OutlayKind; units: bigint; txid: string; feeUnits?: bigint },
): Promise<string> {
  const now = new Date();
  const file = { name: "invoice.png", bytes: await uniquePicture() };
  const keeper = { ...product, scanForViruses: notScanned };
  const { evidenceId } = await keepEvidence(keeper, maker.id, file, now);
  const proposal = {
    submissionKey: randomUUID(),
    customerId: null,
    asset: "BTC" as const,
    feeUnits: 1_000n,
    reason: "Electricity in October",
    note: "",
    evidenceId,
    ...outlay,
  };
  return (await proposeAdjustment(product.db, maker, proposal, now)).adjustmentId;
}

/** That an adjustment be taken back; it waits for a second person. */
export async function proposeTestReversal(
  { db }: Product,
  maker: ActingOperator,
  adjustmentId: string,
): Promise<string> {
  const reversal = { submissionKey: randomUUID(), adjustmentId, reason: "A mistake", note: "" };
  return (await proposeReversal(db, maker, reversal, new Date())).adjustmentId;
}
