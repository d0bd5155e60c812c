import { findRow, getRow, text } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { findLedgerBegin } from "../find-ledger-begin.ts";
import type { DocumentClaim } from "./document-claim.ts";
import type { KeptSeal, LedgerCheck } from "./ledger-check.ts";
import { countWrong } from "./verify-claims.ts";
import { verifySeals, verifySealsAfter } from "./verify-seals.ts";

interface Question {
  claim: string;
  wrong: string;
}

/**
 * Verifies what is here of a ledger whose older months were taken out, as what came after them, all seals as far as they follow
 * each other, and that what the months left agrees. Where accounts stood then is trusted: to verify that too, months are put back in a
 * copy.
 */
export function verifyFrom(
  db: Db,
  begin: bigint,
  documents: DocumentClaim[],
  kept?: KeptSeal,
): Promise<LedgerCheck[]> {
  return onOneState(db, async (tx) => [
    ...(await askAll(tx, claimsOfWhatWasLeft(begin), "openings, totals, keys and seals")),
    ...(await verifyAbove(tx, begin - 1n, documents)),
    ...(await verifySeals(tx, kept, begin - 1n)),
  ]);
}

/**
 * Verifies what came after a kept seal, at the cost of that: the new transfers, their entries, documents and seals, and that
 * balances go on from where they were. What lies under the kept seal, and what documents say of themselves, is trusted: the
 * whole verification asks for those.
 */
export function verifySince(
  db: Db,
  kept: KeptSeal,
  documents: DocumentClaim[],
): Promise<LedgerCheck[]> {
  return onOneState(db, async (tx) => {
    const from = await findKept(tx, kept);
    const claim = `seal ${kept.number} is the one that was kept`;
    if (from?.hash !== kept.hash.toLowerCase()) {
      return [{ claim, holds: false, detail: `here it is ${from?.hash ?? "missing"}` }];
    }
    const begin = await findLedgerBegin(tx);
    const known = BigInt(from.completeThrough);
    const since = known < begin ? begin - 1n : known;
    return [
      { claim, holds: true, detail: "the same hash" },
      ...(await verifyAbove(tx, since, documents)),
      ...(await verifySealsAfter(tx, kept.number, since)),
    ];
  });
}

function onOneState(db: Db, verify: (tx: Tx) => Promise<LedgerCheck[]>): Promise<LedgerCheck[]> {
  return db.transaction(
    async (tx) => {
      // A part that is small beside the whole is found by its index, whatever the planner believes of the whole.
      await tx.execute(
        sql`set local statement_timeout = 0; set local enable_seqscan = off; set local enable_mergejoin = off`,
      );
      return verify(tx);
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function verifyAbove(
  tx: Tx,
  since: bigint,
  documents: DocumentClaim[],
): Promise<LedgerCheck[]> {
  const asked = documents.map((each) => ({ ...each, wrong: each.wrongAbove(since) }));
  const count = await countNew(tx, since);
  return askAll(tx, [...claimsSince(since), ...asked], `${count} new transfers`);
}

async function askAll(tx: Tx, questions: Question[], about: string): Promise<LedgerCheck[]> {
  const checks: LedgerCheck[] = [];
  for (const each of questions) checks.push(await ask(tx, each, about));
  return checks;
}

function findKept(tx: Tx, { number }: KeptSeal) {
  return findRow(
    tx,
    sql`select encode(hash, 'hex') as hash, complete_through from ledger_seals where number = ${number}`,
    { hash: text, completeThrough: text },
  );
}

async function countNew(tx: Tx, since: bigint): Promise<string> {
  const counted = sql`select count(*) as count from ledger_transfers where number > ${since}`;
  return (await getRow(tx, counted, { count: text })).count;
}

async function ask(tx: Tx, { claim, wrong }: Question, about: string): Promise<LedgerCheck> {
  const found = await countWrong(tx, wrong);
  return { claim, holds: found === null, detail: found ?? about };
}

function claimsOfWhatWasLeft(begin: bigint): Question[] {
  return [
    {
      claim:
        "the months that were taken out are not here, and nothing older than the first that is",
      wrong: `
        select m.parent || ' ' || m.month as what from months m join pg_inherits i on i.inhparent = m.parent::regclass
         where m.detached_at is not null and i.inhrelid = to_regclass(m.parent || to_char(m.month, '_YYYY_MM'))
        union all
        select 'transfer ' || number from ledger_transfers where number < ${begin}
        union all
        select 'entry of transfer ' || transfer_number from ledger_entries where transfer_number < ${begin}`,
    },
    {
      claim: "what had moved accounts in these months is what they came to",
      wrong: `
        select coalesce(o.owner_id, m.owner_id)::text as what
          from (select owner_id, asset, sum(balance) as units, sum(entry_count) as entries from ledger_openings group by 1, 2) o
          full join (select owner_id, asset, sum(units) as units, sum(entries) as entries from ledger_opening_totals group by 1, 2) m
            on m.owner_id = o.owner_id and m.asset = o.asset
         where (o.units, o.entries) is distinct from (m.units, m.entries)`,
    },
    {
      claim: "every transfer of these months is still registered",
      wrong: `
        select 'seals of ' || sealed.transfers || ' transfers, keys of ' || keys.transfers as what
          from (select coalesce(sum(transfer_count), 0) as transfers from ledger_seals where upper(covers) <= ${begin}) sealed,
               (select count(*) as transfers from ledger_keys where number < ${begin}) keys
         where sealed.transfers <> keys.transfers`,
    },
  ];
}

function claimsSince(since: bigint): Question[] {
  const fresh = `(select * from ledger_transfers where number > ${since})`;
  const entries = `(select * from ledger_entries where transfer_number > ${since})`;
  return [
    {
      claim: "every new transfer's entries are its legs, once, and sum to zero per asset",
      wrong: `
        select 'transfer ' || coalesce(asked.number, e.transfer_number) as what
          from (select t.number, t.owner_id, leg.account, leg.asset, sum(leg.units) as units from ${fresh} t cross join unnest(t.legs) leg
                 group by t.number, t.owner_id, leg.account, leg.asset) asked
          full join (select transfer_number, owner_id, account, asset, sum(units) as units, count(*) as entries from ${entries} e
                      group by transfer_number, owner_id, account, asset) e
            on e.transfer_number = asked.number and e.owner_id = asked.owner_id and e.account = asked.account and e.asset = asked.asset
         where e.units is distinct from asked.units or e.entries <> 1
        union all
        select 'transfer ' || transfer_number from ${entries} e group by transfer_number, asset having sum(units) <> 0`,
    },
    {
      claim: "every new transfer is registered under its id, key and kind, and nothing else is",
      wrong: `
        select 'transfer ' || coalesce(t.number, k.number) as what
          from ${fresh} t full join (select * from ledger_keys where number > ${since}) k
            on k.number = t.number and k.id = t.id and k.key = t.key and k.kind = t.kind and k.reverses is not distinct from t.reverses
         where t.number is null or k.number is null`,
    },
    {
      claim:
        "every new transfer moves only what its kind may, or mirrors another of the same owner",
      wrong: `
        select 'transfer ' || t.number as what from ${fresh} t cross join unnest(t.legs) leg
          left join ledger_transfer_kinds k on k.kind = t.kind
         where t.reverses is null and (leg.account = any (case when leg.units > 0 then k.credits else k.debits end)) is not true
        union all
        select 'transfer ' || t.number from ${fresh} t
          left join ledger_keys k on k.id = t.reverses
          left join ledger_transfers o on o.number = k.number and o.owner_id = t.owner_id and o.reverses is null
         where t.reverses is not null and (t.kind <> 'reversal' or k.number is null or k.reverses is not null
           -- Of a month that was taken out only its key is here.
           or k.number >= ledger_begin() and t.legs is distinct from (
             select array_agg((leg.account, leg.asset, -leg.units)::ledger_leg order by place)
               from unnest(o.legs) with ordinality leg (account, asset, units, place)))`,
    },
    {
      claim:
        "every balance goes on from where it was, entry by entry, never below zero, to what it is now",
      wrong: `
        with moved as materialized (
          select e.*, lag(e.balance_after) over line as before, lag(e.sequence) over line as place_before,
                 lead(e.sequence) over line is null as is_last
            from ${entries} e where e.account in ('available', 'held')
          window line as (partition by e.owner_id, e.account, e.asset order by e.transfer_number))
        select 'entry ' || coalesce(m.sequence::text, '?') || ' of ' || m.account || ' ' || m.asset || ' of ' || m.owner_id as what
          from moved m
          left join ledger_openings p on p.owner_id = m.owner_id and p.account = m.account and p.asset = m.asset
          left join lateral (
            select o.balance_after, o.sequence from ledger_entries o
             where m.place_before is null and o.owner_id = m.owner_id and o.account = m.account and o.asset = m.asset
               and o.account in ('available', 'held') and o.transfer_number <= ${since}
             order by o.transfer_number desc limit 1) o on true
          left join ledger_accounts a on m.is_last and a.owner_id = m.owner_id and a.account = m.account and a.asset = m.asset
         where m.balance_after is distinct from coalesce(m.before, o.balance_after, p.balance, 0) + m.units
            or m.sequence is distinct from coalesce(m.place_before, o.sequence, p.entry_count, 0) + 1
            or m.balance_after < 0
            or m.is_last and (a.balance, a.entry_count) is distinct from (m.balance_after, m.sequence)`,
    },
    {
      claim: "what did not move since older months were taken out stands where it stood",
      wrong: `
        select p.account || ' ' || p.asset || ' of ' || p.owner_id as what from ledger_openings p
          left join ledger_accounts a on a.owner_id = p.owner_id and a.account = p.account and a.asset = p.asset
         where (a.balance, a.entry_count) is distinct from (p.balance, p.entry_count)
           and not exists (select from ledger_entries e where e.owner_id = p.owner_id and e.account = p.account and e.asset = p.asset
                              and e.account in ('available', 'held'))`,
    },
    {
      claim: "the trial balance is zero per asset",
      wrong: `
        select asset || ' ' || sum(units) as what
          from (select asset, sum(balance) as units from ledger_accounts where balance is not null group by asset
                union all select asset, sum(units) from house_balances() group by asset) each
         group by asset having sum(units) <> 0`,
    },
  ];
}
