import { randomUUID } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { keepEvidence } from "#server/adjustments/keep-evidence.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Count } from "#server/reconciliation/enter-count.ts";
import { notScanned, uniquePicture } from "./deposit.ts";

/** What somebody read in a cold wallet, with a picture as its evidence. */
export async function aCount(
  product: { db: Db; files: FileStore },
  maker: ActingOperator,
  { asset = "BTC", units, asOf }: { asset?: Coin; units: bigint; asOf: Date },
): Promise<Count> {
  const file = { name: "wallet.png", bytes: await uniquePicture() };
  const { evidenceId } = await keepEvidence(
    { ...product, scanForViruses: notScanned },
    maker.id,
    file,
    asOf,
  );
  const count = { submissionKey: randomUUID(), asset, units, asOf, evidenceId };
  return { ...count, blockHeight: 900_000, wallets: "Cold wallet" };
}
