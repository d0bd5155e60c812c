import type { TransferProof } from "#core/proof/recompute-proof.ts";
import { fieldsOfTransfer, merklePath } from "#core/proof/seal.ts";
import { findSeal } from "#server/ledger/find-seal.ts";
import { findTransfer } from "#server/ledger/find-transfer.ts";
import { listSealed } from "#server/ledger/list-sealed.ts";
import { bytes, number, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { findCoveringDay } from "./list-days.ts";

const columns = { previousHash: text, transferCount: number, merkleRoot: text, sealedAt: text };

/**
 * All that leads from a transfer of this customer to the first published digest that includes it; null: there is none yet, it is
 * another's, or months of its seal were taken out. Reads up to 10,000 transfers, and the seals of the day.
 */
export async function findTransferProof(
  db: Db,
  customerId: string,
  transferId: string,
): Promise<TransferProof | null> {
  if (!(await findTransfer(db, customerId, transferId))) return null;
  const seal = await findSeal(db, customerId, transferId);
  const day = seal && (await findCoveringDay(db, seal.number));
  if (!day) return null;
  const seals = await readRows(
    db,
    sql`select encode(previous_hash, 'hex') as "previousHash", transfer_count as "transferCount",
               encode(merkle_root, 'hex') as "merkleRoot", moment_to_hash(sealed_at) as "sealedAt"
          from ledger_seals where number between ${seal.number}::bigint and ${day.sealNumber}::bigint order by number`,
    columns,
  );
  const leaves = await readRows(
    db,
    sql`select leaf.number, leaf.hash from ledger_seals s cross join ledger_leaves(s.covers) leaf
         where s.number = ${seal.number} order by leaf.number`,
    { number: text, hash: bytes },
  );
  const [transfer] = await listSealed(db, seal.number, transferId);
  const [first] = seals;
  if (!transfer || !first || leaves.length !== first.transferCount) return null;
  const place = leaves.findIndex((leaf) => leaf.number === transfer.number);
  return {
    fields: fieldsOfTransfer(transfer),
    path: merklePath(
      leaves.map(({ hash }) => hash),
      place,
    ),
    seal: { number: seal.number, previousHash: first.previousHash },
    seals: seals.map(({ transferCount, merkleRoot, sealedAt }) => [
      transferCount,
      merkleRoot,
      sealedAt,
    ]),
    day,
  };
}
