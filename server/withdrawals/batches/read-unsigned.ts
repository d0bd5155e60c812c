import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatches, withdrawalBatchVersions } from "../schema.ts";

const b = withdrawalBatches;
const v = withdrawalBatchVersions;

/** What is to be signed, and of which chain. */
export interface Unsigned {
  chain: WalletChain;
  bytes: Uint8Array;
}

/** What is to be signed of a version; null when there is none. */
export async function readUnsigned(
  db: Db,
  { batchId, number }: { batchId: string; number: number },
): Promise<Unsigned | null> {
  const [version] = await db
    .select({ chain: b.chain, bytes: v.unsigned })
    .from(v)
    .innerJoin(b, eq(b.id, v.batchId))
    .where(and(eq(v.batchId, batchId), eq(v.number, number)));
  return version ?? null;
}
