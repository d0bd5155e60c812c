import {
  beforeTheFirstSeal,
  fieldsOfTransfer,
  hashLeaf,
  hashSeal,
  merkleRoot,
} from "#core/proof/seal.ts";
import {
  bytes,
  getRow,
  number,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { listSealed } from "../list-sealed.ts";
import type { KeptSeal, LedgerCheck } from "./ledger-check.ts";

const sealColumns = {
  number: text,
  previousHash: bytes,
  transferCount: number,
  /** Above all numbers under it. */
  above: units,
  merkleRoot: bytes,
  sealedAt: text,
  hash: bytes,
};
type SealRow = RowOf<typeof sealColumns>;

function listSeals(tx: Tx, from = "0"): Promise<SealRow[]> {
  return readRows(
    tx,
    sql`select number, previous_hash, transfer_count, upper(covers) as above, merkle_root, moment_to_hash(sealed_at) as sealed_at, hash
          from ledger_seals where number >= ${from} order by number`,
    sealColumns,
  );
}

/**
 * Computes every seal again from the rows it covers, and looks for transfers that escaped sealing. Of transfers that are not here,
 * up to `since`, the seals are only asked to follow each other.
 */
export async function verifySeals(
  tx: Tx,
  kept: KeptSeal | undefined,
  since = 0n,
): Promise<LedgerCheck[]> {
  const seals = await listSeals(tx);
  const here = seals.filter(({ above }) => above > since);
  const roots = await verifyRoots(tx, here);
  const checks = [roots, verifyChain(seals), await verifyCover(tx, seals, since)];
  if (kept) checks.push(verifyKept(seals, kept));
  return checks;
}

/** The same of the seals after one that is trusted, and of the transfers above a number. */
export async function verifySealsAfter(
  tx: Tx,
  kept: string,
  since: bigint,
): Promise<LedgerCheck[]> {
  const [trusted, ...seals] = await listSeals(tx, kept);
  const chain = trusted ? verifyChain(seals, trusted) : verifyChain(seals);
  const here = seals.filter(({ above }) => above > since);
  return [await verifyRoots(tx, here), chain, await verifyCover(tx, seals, since)];
}

async function verifyRoots(tx: Tx, seals: SealRow[]): Promise<LedgerCheck> {
  const claim = "every seal's root is computed from its transfers";
  for (const seal of seals) {
    const transfers = await listSealed(tx, seal.number);
    const whole = transfers.length === seal.transferCount;
    if (
      !whole ||
      !seal.merkleRoot.equals(merkleRoot(transfers.map((each) => hashLeaf(fieldsOfTransfer(each)))))
    ) {
      return { claim, holds: false, detail: `seal ${seal.number} does not match its transfers` };
    }
  }
  const transfers = seals.reduce((sum, seal) => sum + seal.transferCount, 0);
  return { claim, holds: true, detail: `${seals.length} seals over ${transfers} transfers` };
}

function verifyChain(
  seals: SealRow[],
  trusted: { number: string; hash: Uint8Array } = { number: "0", hash: beforeTheFirstSeal },
): LedgerCheck {
  const claim = "every seal follows from the seal before";
  let before: Uint8Array = trusted.hash;
  for (const [place, seal] of seals.entries()) {
    const follows =
      seal.number === String(BigInt(trusted.number) + BigInt(place + 1)) &&
      seal.previousHash.equals(before) &&
      seal.hash.equals(hashSeal(seal));
    if (!follows) return { claim, holds: false, detail: `seal ${seal.number} does not` };
    before = seal.hash;
  }
  const last = seals.at(-1);
  const detail = last ? `seal ${last.number} is ${last.hash.toString("hex")}` : "no seals yet";
  return { claim, holds: true, detail };
}

async function verifyCover(tx: Tx, seals: SealRow[], since = 0n): Promise<LedgerCheck> {
  const claim = "no transfer escaped sealing";
  const escaped = await getRow(
    tx,
    sql`select count(*) filter (where t.number <= last.complete_through) as count,
               min(t.number) filter (where t.number <= last.complete_through) as first, count(*) as open
          from ledger_transfers t
          left join (select complete_through from ledger_seals order by number desc limit 1) last on true
         where not t.number <@ (select ledger_covered_after(${since})) and t.number > ${since}`,
    { count: number, first: orNull(text), open: number },
  );
  const holds = escaped.count === 0;
  const detail = holds
    ? `${seals.length} seals, ${escaped.open} transfers wait for the next`
    : `${escaped.count} did, first: transfer ${escaped.first}`;
  return { claim, holds, detail };
}

function verifyKept(seals: SealRow[], kept: KeptSeal): LedgerCheck {
  const claim = `seal ${kept.number} is the one that was kept`;
  const hash = seals.find((seal) => seal.number === kept.number)?.hash.toString("hex");
  const holds = hash === kept.hash.toLowerCase();
  return { claim, holds, detail: holds ? "the same hash" : `here it is ${hash ?? "missing"}` };
}
