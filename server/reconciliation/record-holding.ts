import { randomUUIDv7 } from "node:crypto";
import type { Tx } from "../platform/database.ts";
import type { Holding } from "./holding.ts";
import { custodyHoldings } from "./schema.ts";

/**
 * Records what lay on chain. PostgreSQL puts beside it what the ledger says of the same moment; where that differs,
 * somebody has to explain it, and where it is more, nothing is sold until a later holding covers it.
 */
export async function recordHolding(tx: Tx, holding: Holding, now: Date): Promise<string> {
  const id = randomUUIDv7();
  await tx.insert(custodyHoldings).values({ ...holding, id, recordedAt: now });
  return id;
}
