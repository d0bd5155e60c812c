import { asc, eq, sql } from "#server/platform/sql.ts";
import type { PaymentState } from "../chain/payment.ts";
import { walletAddresses } from "../chain/schema.ts";
import {
  flag,
  getRow,
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

/** The newest coins at a pool's addresses, all that count together, and what they lack for what they cover: below zero, so much is over. */
export async function listPoolCoins(
  db: Db,
  poolId: string,
  limit: number,
): Promise<{ coins: PoolCoin[]; counted: { coins: number; units: bigint }; lacks: bigint }> {
  const counted = await getRow(
    db,
    sql`select count(*)::int as coins, coalesce(sum(units), 0) as units from pool_coins(${poolId})`,
    { coins: number, units },
  );
  const coins = await readRows(
    db,
    sql`select p.id, p.txid, p.output_index, p.units, p.state, p.block_height, p.seen_at, chain_confirmations(p) as confirmations,
               blocks_to_count(p.coinbase) as needed, p.from_own, c.payment_id is not null as counts
          from pool_addresses a join chain_payments p on p.address = a.address left join pool_coins(${poolId}) c on c.payment_id = p.id
         where a.pool_id = ${poolId} order by p.seen_at desc, p.id desc limit ${limit}`,
    columns,
  );
  const { lacks } = await getRow(db, sql`select pool_lacks(${poolId}) as lacks`, { lacks: units });
  return { coins, counted, lacks };
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
