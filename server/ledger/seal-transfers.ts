import type { Db } from "#server/platform/database.ts";
import { call } from "./call.ts";

/** So many blocks are hashed side by side: PostgreSQL hashes each on one core. */
const sealers = 2;

/**
 * Seals every finished transfer that no seal covers yet, in blocks of at most so many. Transfers that commit late are in a later
 * block, whatever their number. Any number of processes may call it: blocks are hashed side by side and sealed one after the other.
 *
 * @returns the numbers of the new seals.
 */
export async function sealTransfers(
  db: Db,
  now: Date,
  { limit = 10_000 }: { limit?: number } = {},
): Promise<string[]> {
  const sealed = await Promise.all(
    Array.from({ length: sealers }, () => sealBlocks(db, now, limit)),
  );
  return sealed.flat().sort((a, b) => Number(BigInt(a) - BigInt(b)));
}

async function sealBlocks(db: Db, now: Date, limit: number): Promise<string[]> {
  const sealed: string[] = [];
  for (;;) {
    const [claimed] = await call<{ block: string | null }>(
      db,
      "claim_block",
      "select claim_block($1) as block",
      [limit],
    );
    const [hashed] = await call<{ block: string | null }>(
      db,
      "hash_block",
      "select hash_block() as block",
      [],
    );
    const seals = await call<{ seal: string }>(
      db,
      "seal_blocks",
      "select seal_blocks($1) as seal",
      [now.toISOString()],
    );
    sealed.push(...seals.map(({ seal }) => seal));
    if (!claimed?.block && !hashed?.block) return sealed;
  }
}
