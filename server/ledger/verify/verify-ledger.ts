import type { Db } from "#server/platform/database.ts";
import { chartOfAccounts } from "../account.ts";
import { movements } from "../transfer.ts";
import type { KeptSeal, LedgerCheck } from "./ledger-check.ts";
import { type Claim, verifyClaims } from "./verify-claims.ts";
import { verifySeals } from "./verify-seals.ts";

/**
 * Recomputes the whole ledger from its rows, reading one state of it while postings go on. Trusts no
 * balance, snapshot or hash that is stored. A rewritten history shows against a kept seal.
 */
export function verifyLedger(db: Db, kept?: KeptSeal): Promise<LedgerCheck[]> {
  return verifyClaims(db, ledgerClaims, (tx) => verifySeals(tx, kept));
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");
const listedAccounts = Object.entries(chartOfAccounts).map(
  ([account, { owner, side }]) => `('${account}', '${owner}', '${side}')`,
);
const listedKinds = Object.entries(movements).map(
  ([kind, { debit, credit }]) =>
    `('${kind}', array[${quoted(debit)}]::text[], array[${quoted(credit)}]::text[])`,
);
/** What the owner of some tables may have switched off: these triggers are there, always at work, and no others. */
export function rulesInForce(claim: string, rules: Record<string, string[]>): Claim {
  const listed = Object.entries(rules).flatMap(([table, names]) =>
    names.map((name) => `('${table}', '${name}')`),
  );
  return {
    claim,
    count: Object.keys(rules)[0] ?? "",
    wrong: `
    with listed as (select relation::regclass, rule from (values ${listed.join(", ")}) each (relation, rule)),
         asked as (select * from listed union all select i.inhrelid, rule from listed join pg_inherits i on i.inhparent = relation)
    select coalesce(rule || ' of ' || relation, t.tgname) as what
      from asked
      full join (select tgrelid, tgname, tgenabled from pg_trigger where not tgisinternal
                    and tgrelid in (select relation from asked)) t on t.tgname = rule and t.tgrelid = relation
     where rule is null or t.tgenabled is distinct from 'A'`,
  };
}

/** Apart from what is true of its rows, because tests of the ledger alone switch them off. */
export const ledgersRules = rulesInForce("the ledger's rules are in force, and no others", {
  ledger_transfers: [
    ...["the_ledger_is_append_only", "transfers_are_posted"],
    ...["transfers_have_their_document", "what_is_mined_is_explained"],
  ],
  ledger_accounts: ["accounts_are_in_the_chart", "accounts_are_kept", "balances_move_with_entries"],
  ledger_entries: ["entries_come_from_transfers", "the_ledger_is_append_only"],
  ledger_keys: ["the_ledger_is_append_only"],
  ledger_seals: ["the_ledger_is_append_only"],
  ledger_house_snapshots: ["the_ledger_is_append_only"],
});

/** What is true of the ledger's own rows. */
export const ledgerClaims: Claim[] = [
  {
    claim: "the chart is the one that the product lists",
    count: "ledger_transfer_kinds",
    wrong: `
      select 'kind ' || k.kind as what from ledger_transfer_kinds k
        left join (values ${listedKinds.join(", ")}, ('reversal', '{}'::text[], '{}'::text[])) listed (kind, debits, credits) on listed.kind = k.kind
       where (k.debits, k.credits) is distinct from (listed.debits, listed.credits)
      union all
      select 'account ' || coalesce(k.account, listed.account) from ledger_account_kinds k
        full join (values ${listedAccounts.join(", ")}) listed (account, owner, side) on listed.account = k.account
       where (k.owner, k.side) is distinct from (listed.owner, listed.side)
      union all
      select 'account ' || a.account || ' ' || a.asset || ' of ' || a.owner_id from ledger_accounts a
        left join ledger_account_kinds k on k.account = a.account
       where (k.owner = 'customer') is distinct from (a.owner_id <> '00000000-0000-0000-0000-000000000000')
          or (k.owner = 'customer') is distinct from (a.balance is not null)`,
  },
  {
    claim: "no leg has two entries",
    count: "ledger_entries",
    wrong: `
      select 'transfer ' || transfer_number || ' ' || account || ' ' || asset as what
        from ledger_entries group by transfer_number, owner_id, account, asset having count(*) > 1`,
  },
  {
    claim: "seals follow each other in time, and note no number that was not drawn",
    count: "ledger_seals",
    wrong: `
      select 'seal ' || number as what from (
        select *, lag(sealed_at) over w as before, lag(complete_through) over w as complete_before from ledger_seals
        window w as (order by number)) s
       where sealed_at < before or complete_through < complete_before
          or greatest(complete_through, watched_through) > (select last_value from ledger_transfer_numbers)
          or complete_through > watched_through and complete_through > complete_before`,
  },
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
    claim: "every transfer is registered under its id, key and kind, and nothing else is",
    count: "ledger_keys",
    wrong: `
      select 'transfer ' || coalesce(t.number, k.number) as what
        from ledger_transfers t full join ledger_keys k on k.number = t.number and k.id = t.id and k.key = t.key
         and k.kind = t.kind and k.reverses is not distinct from t.reverses
       where t.number is null or k.number is null`,
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
    claim: "an account's entries are numbered in the order of the ledger",
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
            join (select s.number as seal_number, lower(block) as first, upper(block) as above from ledger_seals s cross join unnest(s.covers) block) sealed
              on e.transfer_number >= sealed.first and e.transfer_number < sealed.above
            join (select seal_number, lag(seal_number, 1, 0::bigint) over (order by seal_number) as since
                    from (select distinct seal_number from ledger_house_snapshots) each) snapshot
              on sealed.seal_number > snapshot.since and sealed.seal_number <= snapshot.seal_number
           where e.sequence is null
           group by snapshot.seal_number, e.account, e.asset) sums
          on sums.seal_number = h.seal_number and sums.account = h.account and sums.asset = h.asset
       where h.moved <> coalesce(sums.units, 0)
      union all
      select 'snapshot at seal ' || seal_number from ledger_house_snapshots group by seal_number
      having count(*) <> (select count(*) from ledger_accounts where owner_id = '00000000-0000-0000-0000-000000000000')`,
  },
];
