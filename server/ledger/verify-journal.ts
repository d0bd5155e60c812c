import type { Db } from "#server/platform/database.ts";
import type { JournalCheck, KeptSeal } from "./journal-check.ts";
import { type Claim, verifyClaims } from "./verify-claims.ts";
import { verifySeals } from "./verify-seals.ts";

/**
 * Recomputes the whole journal from its rows, reading one state of it while postings go on. Trusts no
 * balance, snapshot or hash that is stored. A rewritten history shows against a kept seal.
 */
export function verifyJournal(db: Db, kept?: KeptSeal): Promise<JournalCheck[]> {
  return verifyClaims(db, claims, (tx) => verifySeals(tx, kept));
}

const claims: Claim[] = [
  {
    claim: "every transfer's entries are its legs",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || number as what
        from (select t.number, leg.account, leg.asset, leg.units from ledger_transfers t cross join unnest(t.legs) leg) asked
        full join ledger_entries e
          on e.transfer_number = asked.number and e.account = asked.account and e.asset = asked.asset and e.units = asked.units
       where asked.number is null or e.transfer_number is null`,
  },
  {
    claim: "every entry carries its transfer's owner",
    count: "ledger_entries",
    wrong: `
      select 'transfer ' || e.transfer_number as what
        from ledger_entries e left join ledger_transfers t on t.number = e.transfer_number and t.owner_id = e.owner_id
       where t.number is null`,
  },
  {
    claim: "every transfer sums to zero per asset",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || transfer_number || ' ' || asset as what
        from ledger_entries group by transfer_number, asset having sum(units) <> 0`,
  },
  {
    claim: "every transfer moves only what its kind may",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || t.number as what
        from ledger_transfers t join ledger_entries e on e.transfer_number = t.number
        left join ledger_transfer_kinds k on k.kind = t.kind
       where t.reverses is null and (e.account = any (case when e.units > 0 then k.credits else k.debits end)) is not true`,
  },
  {
    claim: "every reversal mirrors a transfer of the same owner",
    count: "ledger_transfers",
    wrong: `
      select 'transfer ' || t.number as what
        from ledger_transfers t
        left join ledger_transfers o on o.id = t.reverses and o.owner_id = t.owner_id and o.reverses is null
       where t.reverses is not null
         and (o.number is null or exists (
           select from ledger_entries e
             left join ledger_entries m
               on m.transfer_number = o.number and m.owner_id = o.owner_id and m.account = e.account
              and m.asset = e.asset and m.units = -e.units
            where e.transfer_number = t.number and e.owner_id = t.owner_id and m.units is null))`,
  },
  {
    claim: "the trial balance is zero per asset",
    count: "ledger_accounts",
    wrong: `
      select asset || ' ' || sum(units) as what
        from (select asset, sum(balance) as units from ledger_accounts where balance is not null group by asset
              union all select asset, sum(units) from house_balances() group by asset) each
       group by asset having sum(units) <> 0`,
  },
  {
    claim: "every balance is the sum of its entries",
    count: "ledger_accounts",
    wrong: `
      select 'account ' || coalesce(a.account, e.account) || ' ' || coalesce(a.asset, e.asset) || ' of ' || coalesce(a.owner_id, e.owner_id) as what
        from (select * from ledger_accounts where balance is not null) a
        full join (select owner_id, account, asset, sum(units) as units, count(*) as entries
                     from ledger_entries where sequence is not null group by owner_id, account, asset) e
          on e.owner_id = a.owner_id and e.account = a.account and e.asset = a.asset
       where (a.balance, a.entry_count) is distinct from (coalesce(e.units, 0), coalesce(e.entries, 0))`,
  },
  {
    claim: "every balance after an entry follows from the entry before",
    count: "ledger_entries",
    wrong: `
      select 'entry ' || sequence || ' of ' || account || ' ' || asset || ' of ' || owner_id as what
        from (select *, row_number() over account as place, sum(units) over account as running
                from ledger_entries where account in ('available', 'held')
              window account as (partition by owner_id, account, asset order by sequence)) e
       where (sequence, balance_after) is distinct from (place, running)`,
  },
  {
    claim: "an account's entries are numbered in the order of the journal",
    count: "ledger_entries",
    wrong: `
      select 'entry ' || sequence || ' of ' || account || ' ' || asset || ' of ' || owner_id as what
        from (select *, lag(transfer_number) over (partition by owner_id, account, asset order by sequence) as before
                from ledger_entries where sequence is not null) e
       where before >= transfer_number`,
  },
  {
    claim: "no customer is below zero",
    count: "ledger_accounts",
    wrong: `
      select 'account ' || account || ' ' || asset || ' of ' || owner_id as what from ledger_accounts where balance < 0
      union all
      select 'entry ' || sequence || ' of ' || account || ' ' || asset || ' of ' || owner_id
        from ledger_entries where balance_after < 0`,
  },
  {
    claim: "every snapshot of the house is the sum of the entries under its seals",
    count: "ledger_house_snapshots",
    wrong: `
      select 'snapshot at seal ' || h.seal_number || ' of ' || h.account || ' ' || h.asset as what
        from (select s.*, s.units - lag(s.units, 1, 0) over account as moved
                from ledger_house_snapshots s window account as (partition by account, asset order by seal_number)) h
        left join (
          select snapshot.seal_number, e.account, e.asset, sum(e.units) as units
            from ledger_entries e
            join ledger_sealed_transfers sealed on sealed.transfer_number = e.transfer_number
            join (select seal_number, lag(seal_number, 1, 0::bigint) over (order by seal_number) as since
                    from (select distinct seal_number from ledger_house_snapshots) each) snapshot
              on sealed.seal_number > snapshot.since and sealed.seal_number <= snapshot.seal_number
           where e.sequence is null
           group by snapshot.seal_number, e.account, e.asset) sums
          on sums.seal_number = h.seal_number and sums.account = h.account and sums.asset = h.asset
       where h.moved <> coalesce(sums.units, 0)`,
  },
];
