import { asc, eq, sql } from "#server/platform/sql.ts";
import type { PaymentState } from "../chain/payment.ts";
import { walletAddresses } from "../chain/schema.ts";
import {
  flag,
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { poolAddresses } from "./schema.ts";

const states: PaymentState[] = ["seen", "mined", "dropped", "orphaned"];
const columns = {
  id: text,
  txid: text,
  outputIndex: number,
  units,
  state: oneOf(states),
  blockHeight: orNull(number),
  seenAt: moment,
  confirmations: number,
  /** How many it needs. */
  needed: number,
  fromOwn: flag,
  /** Whether it counts as what the pool paid. */
  counts: flag,
};

/** What arrived at a pool's addresses, whether it counts or not. */
export type PoolCoin = RowOf<typeof columns>;

/** The newest coins at a pool's addresses. */
export function listPoolCoins(db: Db, poolId: string, limit: number): Promise<PoolCoin[]> {
  return readRows(
    db,
    sql`select p.id, p.txid, p.output_index, p.units, p.state, p.block_height, p.seen_at, chain_confirmations(p) as confirmations,
               blocks_to_count(p.coinbase) as needed, p.from_own, c.payment_id is not null as counts
          from pool_addresses a join chain_payments p on p.address = a.address left join pool_coins(${poolId}) c on c.payment_id = p.id
         where a.pool_id = ${poolId} order by p.seen_at desc, p.id desc limit ${limit}`,
    columns,
  );
}

/** Where a pool pays, the first address first, each with its place below the wallet's key. */
export function listPoolAddresses(db: Db, poolId: string) {
  const [a, w] = [poolAddresses, walletAddresses];
  return db
    .select({
      address: a.address,
      createdAt: a.createdAt,
      branch: w.branch,
      derivationIndex: w.derivationIndex,
    })
    .from(a)
    .innerJoin(w, eq(w.address, a.address))
    .where(eq(a.poolId, poolId))
    .orderBy(asc(a.createdAt), asc(w.derivationIndex));
}
