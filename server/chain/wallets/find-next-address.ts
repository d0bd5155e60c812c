import { and, asc, eq, isNull, sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { walletAddresses } from "../schema.ts";
import type { Wallet } from "./find-wallet.ts";

/**
 * The next address that a customer may be given, below which none is left. Locks it: a payment that is being recorded there is
 * waited for, and then the one after is next.
 */
export async function findNextAddress(tx: Tx, { id }: Pick<Wallet, "id">, branch: 0 | 2) {
  const w = walletAddresses;
  const [next] = await tx
    .select({
      address: w.address,
      branch: w.branch,
      derivationIndex: w.derivationIndex,
      askedAt: w.askedAt,
    })
    .from(w)
    .where(
      and(
        ...[eq(w.walletId, id), eq(w.branch, branch), eq(w.purpose, "customers"), isNull(w.seenAt)],
        sql`${w.derivationIndex} > coalesce((select max(d.derivation_index) from deposit_addresses d
              where d.wallet_id = ${id} and d.branch = ${branch}), -1)`,
      ),
    )
    .orderBy(asc(w.derivationIndex))
    .limit(1)
    .for("update");
  return next ?? null;
}
