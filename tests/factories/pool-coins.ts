import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { recordPayments } from "#server/chain/record-payments.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { namePoolAddress } from "../../scripts/demo/name-pool-address.ts";
import { coinOfNobody } from "./chain.ts";

/** As `namePoolAddress`, now unless told. */
export function nameTestAddress(
  db: Db,
  operator: ActingOperator,
  { now = new Date(), ...at }: { poolId: string; key: WalletKey; now?: Date },
): Promise<string> {
  return namePoolAddress(db, operator, at, now);
}

/** A chain of Bitcoin as it is in the database, for tests that are not about reading one. */
export async function startTestChain(db: Db, owner: pg.Pool) {
  let height = 1_000;
  const move = (to: number) =>
    owner.query(
      `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at) values ('bitcoin', 1, $1, '00', now(), now())
       on conflict (chain) do update set height = excluded.height`,
      [to],
    );
  const setHealth = (health: string) =>
    owner.query(
      `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', $1, '', now(), now())
       on conflict (chain) do update set health = excluded.health`,
      [health],
    );
  await move(height);
  await setHealth("following");
  return {
    setHealth,
    /** Pays an address in the next block, on which five others follow unless told. */
    async mine(
      address: string,
      units: bigint,
      { blocks = 6, spends = [coinOfNobody] } = {},
    ): Promise<string> {
      const [txid, hash] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
      height += 1;
      await move(height + blocks - 1);
      const block = "insert into chain_blocks (chain, height, hash) values ('bitcoin', $1, $2)";
      await owner.query(block, [height, hash]);
      const found = { txid, outputIndex: 0, asset: "BTC" as const, address, units };
      const payment = { ...found, coinbase: false, raw: randomBytes(9), spends };
      const place = { height, hash, time: new Date() };
      await db.transaction((tx) => recordPayments(tx, "bitcoin", [payment], place, new Date()));
      height += blocks - 1;
      return txid;
    },
    /** The block with a transaction leaves the chain, and the transaction waits no more. */
    leave: (txid: string) =>
      owner.query(
        `update chain_payments set state = 'orphaned', block_height = null, block_hash = null, block_time = null, orphaned_at = now()
          where txid = $1`,
        [txid],
      ),
  };
}
