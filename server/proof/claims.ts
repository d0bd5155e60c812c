import type { Claim } from "#server/ledger/verify/verify-claims.ts";
import { rulesInForce } from "#server/ledger/verify/verify-ledger.ts";

export const digestsRules = rulesInForce("the rules of the digests are in force, and no others", {
  proof_days: ["days_have_their_digest_in_turn", "digests_are_never_rewritten"],
});

/** SHA-256 of a byte and of fields without a comma in them. */
const sha256Of = (prefix: string, fields: string[]) =>
  `sha256('\\x${prefix}'::bytea || convert_to(${fields.join(" || ',' || ")}, 'UTF8'))`;
const nodeFields = (of: string) => [
  `encode(${of}.hash, 'hex')`,
  ...["btc", "eth", "usdt"].map((coin) => `${of}.${coin}::text`),
];

/**
 * What must hold of the published digests: `Claim`s of the ledger's verification. Hashes are computed here, not by the database's own
 * function. That the newest days were cut off, or all of them made anew, shows against a digest that somebody kept.
 */
export const proofClaims: Claim[] = [
  {
    claim:
      "the days of the digests follow one another, each on the digest before and on no older seal or act",
    count: "proof_days",
    wrong: `
      with field as (
        select d.*, lag(day) over w as day_before, lag(digest) over w as digest_before, lag(seal_number) over w as seal_before,
               lag(audit_link) over w as link_before,
               array['assay day 1', to_char(day::timestamp, 'YYYY-MM-DD'), encode(previous_digest, 'hex'), seal_number::text,
                     encode(seal_hash, 'hex'), audit_link::text, encode(audit_hash, 'hex'), encode(root, 'hex'), leaves::text, owed_btc::text, owed_eth::text, owed_usdt::text,
                     block_height::text, block_hash] as fields
          from proof_days d window w as (order by day))
      select 'day ' || to_char(day::timestamp, 'YYYY-MM-DD') as what from field
       where day <> coalesce(day_before + 1, day)
          or previous_digest <> coalesce(digest_before, decode(repeat('00', 32), 'hex'))
          or coalesce(seal_number, 0) < coalesce(seal_before, 0) or coalesce(audit_link, 0) < coalesce(link_before, 0)
          or digest <> sha256(convert_to((
               select string_agg(coalesce(octet_length(each) || ':' || each, '') || ',', '' order by place)
                 from unnest(fields) with ordinality f (each, place)), 'UTF8'))`,
  },
  {
    claim: "every digest stands on the seal and the link of the audit log that are here",
    count: "proof_days",
    wrong: `
      select 'day ' || to_char(d.day::timestamp, 'YYYY-MM-DD') as what
        from proof_days d left join ledger_seals s on s.number = d.seal_number left join audit_chain l on l.link = d.audit_link
       where (s.hash, l.hash) is distinct from (d.seal_hash, d.audit_hash)`,
  },
  {
    claim: "every leaf of the newest tree has what the ledger had after so many entries",
    count: "proof_leaves",
    wrong: `
      with leaves as materialized (select * from proof_leaves where day = (select max(day) from proof_days where root is not null)),
      had as (
        select l.customer_id, split_part(counted.key, ' ', 2) as asset, coalesce(e.balance_after, o.balance, 0) as units
          from leaves l cross join jsonb_each_text(l.entry_counts) counted
          left join ledger_entries e on e.owner_id = l.customer_id and e.sequence = counted.value::bigint
                and e.account || ' ' || e.asset = counted.key
          left join ledger_openings o on o.owner_id = l.customer_id and o.entry_count = counted.value::bigint
                and o.account || ' ' || o.asset = counted.key)
      select 'leaf of customer ' || customer_id as what
        from leaves l left join (
          select customer_id, sum(units) filter (where asset = 'BTC') as btc, sum(units) filter (where asset = 'ETH') as eth,
                 sum(units) filter (where asset = 'USDT') as usdt from had group by customer_id) h using (customer_id)
       where customer_id <> '00000000-0000-0000-0000-000000000000'
         and (btc_balance, eth_balance, usdt_balance) is distinct from (coalesce(btc, 0), coalesce(eth, 0), coalesce(usdt, 0))`,
  },
  {
    claim:
      "in the newest tree of what is owed every leaf is what it says, every node what is below it, and the root that of the day",
    count: "proof_nodes",
    wrong: `
      with newest as (select * from proof_days where root is not null order by day desc limit 1),
      here as materialized (select n.* from proof_nodes n join newest using (day)),
      made as (
        select l.height + 1 as height, l.place / 2 as place, case when r.place is null then l.hash else ${sha256Of("01", [...nodeFields("l"), ...nodeFields("r")])} end as hash,
               l.btc + coalesce(r.btc, 0) as btc, l.eth + coalesce(r.eth, 0) as eth, l.usdt + coalesce(r.usdt, 0) as usdt
          from here l left join here r on r.height = l.height and r.place = l.place + 1
         where l.place % 2 = 0 and l.height < (select max(height) from here)),
      leaves as (
        select place, ${sha256Of("00", ["to_char(day::timestamp, 'YYYY-MM-DD')", ...["customer_id", "nonce", "btc_balance", "btc_prepaid", "eth_balance", "eth_prepaid", "usdt_balance", "usdt_prepaid"].map((each) => `${each}::text`)])} as hash,
               btc_balance + btc_prepaid as btc, eth_balance + eth_prepaid as eth, usdt_balance + usdt_prepaid as usdt
          from proof_leaves join newest using (day))
      select 'node ' || coalesce(h.height, m.height) || '/' || coalesce(h.place, m.place) as what
        from (select * from here where height > 0) h full join made m on m.height = h.height and m.place = h.place
       where (h.hash, h.btc, h.eth, h.usdt) is distinct from (m.hash, m.btc, m.eth, m.usdt)
      union all
      select 'leaf ' || l.place from leaves l left join here h on h.height = 0 and h.place = l.place
       where (h.hash, h.btc, h.eth, h.usdt) is distinct from (l.hash, l.btc, l.eth, l.usdt)
      union all
      select 'root of ' || to_char(day::timestamp, 'YYYY-MM-DD') from newest
       where (root, leaves, owed_btc, owed_eth, owed_usdt) is distinct from (
         (select hash from here order by height desc limit 1), (select count(*) from here where height = 0),
         (select sum(btc) from here where height = 0), (select sum(eth) from here where height = 0), (select sum(usdt) from here where height = 0))`,
  },
];
