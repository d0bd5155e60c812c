import { exampleReceipt } from "#core/mining/example-receipt.ts";
import type { ReceiptFigures } from "#core/mining/recompute-receipt.ts";
import type { App } from "#server/app-context.ts";
import {
  findSampleReceipt,
  type SampleReceipt,
} from "#server/mining/receipts/find-sample-receipt.ts";
import { orElse } from "../frame/or-else.ts";

export interface Sample {
  figures: ReceiptFigures;
  /** The day that they are of, with its evidence; null: no pool has paid yet, and the figures are invented. */
  real: SampleReceipt | null;
}

/** The receipt that everyone may see: of the newest day that was paid, or an example until there is one. */
export async function loadSampleReceipt(app: App): Promise<Sample> {
  const real = await orElse(app, findSampleReceipt(app.db), null);
  return { figures: real ?? exampleReceipt, real };
}
