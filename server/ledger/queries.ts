import { type Coin, coins } from "#core/asset.ts";
import { prepared } from "#server/platform/database/prepared.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import { type AccountKind, type CustomerAccount, type HouseAccount, onItsSide } from "./account.ts";
import { ledgerAccounts, ledgerMovements, ledgerTransfers } from "./schema.ts";
import { toRows } from "./to-rows.ts";
import type { PostedKind, TransferKind } from "./transfer.ts";

export type Balances = Record<Coin, Record<CustomerAccount, bigint>>;

/** What a customer has of each coin: usable now, and reserved. */
export async function getBalances(db: Db | Tx, customerId: string): Promise<Balances> {
  const rows = await selectAccounts(db, { customerId });
  const units = (account: CustomerAccount, asset: Coin) =>
    rows.find((row) => row.account === account && row.asset === asset)?.balance ?? 0n;
  return {
    BTC: { available: units("available", "BTC"), held: units("held", "BTC") },
    ETH: { available: units("available", "ETH"), held: units("held", "ETH") },
    USDT: { available: units("available", "USDT"), held: units("held", "USDT") },
  };
}

const selectAccounts = prepared((db) =>
  db
    .select()
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerId, sql.placeholder("customerId")),
        sql`${ledgerAccounts.balance} is not null`,
      ),
    )
    .prepare("ledger_balances"),
);

export interface PostedTransfer {
  transferId: string;
  kind: TransferKind;
  day: string;
  occurredAt: Date;
  createdAt: Date;
  source: string;
  memo: string;
  /** The transfer that this one undoes. */
  reverses: string | null;
  entries: { account: AccountKind; asset: Coin; units: bigint; balanceAfter: bigint | null }[];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A customer's transfer with all of its entries, the house's side included; null when it is not his. */
export async function findTransfer(
  db: Db | Tx,
  customerId: string,
  transferId: string,
): Promise<PostedTransfer | null> {
  if (!uuid.test(transferId)) return null;
  const [transfer] = await db
    .select()
    .from(ledgerTransfers)
    .where(
      and(
        eq(ledgerTransfers.ownerId, customerId),
        sql`${ledgerTransfers.number} = (select number from ledger_keys where id = ${transferId})`,
      ),
    );
  if (!transfer) return null;
  const entries = await toRows<{
    account: AccountKind;
    asset: Coin;
    units: string;
    balanceAfter: string | null;
  }>(
    db,
    sql`select leg.account, leg.asset, leg.units, e.balance_after as "balanceAfter"
          from ledger_transfers t cross join unnest(t.legs) leg
          left join ledger_entries e
            on e.owner_id = t.owner_id and e.account = leg.account and e.asset = leg.asset
           and e.transfer_number = t.number and e.account in ('available', 'held')
         where t.number = ${transfer.number}
         order by leg.account, leg.asset`,
  );
  const { day, kind, occurredAt, createdAt, source, memo, reverses } = transfer;
  return {
    ...{ transferId: transfer.id, kind, day, occurredAt, createdAt, source, memo, reverses },
    entries: entries.map(({ account, asset, units, balanceAfter }) => ({
      account,
      asset,
      units: BigInt(units),
      balanceAfter: balanceAfter === null ? null : BigInt(balanceAfter),
    })),
  };
}

export interface MovementTotal {
  kind: PostedKind;
  asset: Coin;
  /** Signed: positive came in. Reversals are taken off the kind that they reverse. */
  units: bigint;
  entries: number;
}

/** What movements of these kinds have brought and cost a customer, per kind and coin; nothing where none happened. */
export async function listMovementTotals(
  db: Db | Tx,
  customerId: string,
  kinds: readonly PostedKind[],
): Promise<MovementTotal[]> {
  const rows = await selectMovementTotals(db, { customerId, kinds });
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

const selectMovementTotals = prepared((db) => {
  const m = ledgerMovements;
  const entries = sql`sum(${m.entries})`.mapWith(Number);
  const wanted = sql`${m.kind} = any(${sql.placeholder("kinds")})`;
  return db
    .select({ kind: m.kind, asset: m.asset, units: sql<string>`sum(${m.units})`, entries })
    .from(m)
    .where(and(eq(m.ownerId, sql.placeholder("customerId")), wanted))
    .groupBy(m.kind, m.asset)
    .orderBy(asc(m.kind), asc(m.asset))
    .prepare("ledger_movement_totals");
});

export interface HouseBalance {
  account: HouseAccount;
  asset: Coin;
  /** On the account's own side: coins in custody are positive, and so is revenue. */
  units: bigint;
}

/** What stands on the house's accounts now, summed from the last snapshot forward. */
export async function listHouseBalances(db: Db | Tx): Promise<HouseBalance[]> {
  const rows = await toRows<{ account: HouseAccount; asset: Coin; units: string }>(
    db,
    sql`select account, asset, units from house_balances() order by account, asset`,
  );
  return rows.map((row) => ({ ...row, units: onItsSide(row.account, BigInt(row.units)) }));
}

/** The coins that the site offers, and those that any account of the house still holds something of. */
export async function listBookedCoins(db: Db | Tx, offered: readonly Coin[]): Promise<Coin[]> {
  const house = await listHouseBalances(db);
  const isBooked = (coin: Coin) => house.some(({ asset, units }) => asset === coin && units !== 0n);
  return coins.filter((coin) => offered.includes(coin) || isBooked(coin));
}

/** What is the operator's own of each coin: no more of it can be given or taken out. */
export async function listOwnMoney(db: Db | Tx): Promise<Array<{ asset: Coin; units: bigint }>> {
  const rows = await toRows<{ asset: Coin; units: string }>(
    db,
    sql`select asset, units from own_money() order by asset`,
  );
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}

/** What credits that are being taken back lack, per coin; it is left out of what is the operator's own. */
export async function listLackingOfDeposits(
  db: Db | Tx,
): Promise<Array<{ asset: Coin; units: bigint }>> {
  const rows = await toRows<{ asset: Coin; units: string }>(
    db,
    sql`select asset, units from lacking_of_deposits() order by asset`,
  );
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}

/** Per coin, what customers have, what the house has (credits positive), and their sum, which is zero. One statement, so that the parts agree. */
export async function getTrialBalance(
  db: Db | Tx,
): Promise<Record<Coin, { customers: bigint; house: bigint; sum: bigint }>> {
  const rows = await toRows<{ asset: Coin; customers: string; house: string }>(
    db,
    sql`select asset, coalesce(sum(units) filter (where customers), 0) as customers,
               coalesce(sum(units) filter (where not customers), 0) as house
          from (select asset, sum(balance) as units, true as customers
                  from ledger_accounts where balance is not null group by asset
                union all
                select asset, sum(units), false from house_balances() group by asset) each
         group by asset`,
  );
  const ofCoin = (coin: Coin) => {
    const row = rows.find(({ asset }) => asset === coin);
    const customers = BigInt(row?.customers ?? 0);
    const house = BigInt(row?.house ?? 0);
    return { customers, house, sum: customers + house };
  };
  return { BTC: ofCoin("BTC"), ETH: ofCoin("ETH"), USDT: ofCoin("USDT") };
}

/** The number from which on transfers are here: 0 unless older months were taken out. */
export async function findJournalBegin(db: Db | Tx): Promise<bigint> {
  const [row] = await toRows<{ begin: string }>(db, sql`select ledger_begin() as begin`);
  return BigInt(row?.begin ?? 0);
}

export interface SealOfTransfer {
  number: string;
  /** SHA-256 in hexadecimal. Whoever keeps it can later prove that nothing under it was changed. */
  hash: string;
  sealedAt: Date;
}

/** The seal that covers a transfer of this customer; null for the minute before it is made, and for others' transfers. */
export async function findSeal(
  db: Db,
  customerId: string,
  transferId: string,
): Promise<SealOfTransfer | null> {
  const [seal] = await toRows<{ number: string; hash: string; sealedAt: Date }>(
    db,
    sql`select s.number::text as number, encode(s.hash, 'hex') as hash, s.sealed_at as "sealedAt"
          from ledger_transfers t
          join ledger_seals s on s.covers @> t.number
         where t.number = (select number from ledger_keys where id = ${transferId}::uuid) and t.owner_id = ${customerId}::uuid`,
  );
  return seal ? { ...seal, sealedAt: new Date(seal.sealedAt) } : null;
}
