import type { Db } from "#server/platform/database.ts";
import { call } from "./call.ts";

/**
 * Seals every finished transfer that no seal covers yet, in blocks. Transfers that commit late are in a
 * later block, whatever their number. Any number of sealers may call it: one works at a time.
 *
 * @returns the numbers of the new seals.
 */
export async function sealTransfers(db: Db, now: Date): Promise<string[]> {
  const sealed: string[] = [];
  for (;;) {
    const [row] = await call<{ seal: string | null }>(
      db,
      "seal_transfers",
      "select seal_transfers($1) as seal",
      [now.toISOString()],
    );
    if (!row?.seal) return sealed;
    sealed.push(row.seal);
  }
}
