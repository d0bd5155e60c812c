import type { Claim } from "#server/ledger/verify/verify-claims.ts";
import { rulesInForce } from "#server/ledger/verify/verify-ledger.ts";

export const digestsRules = rulesInForce("the rules of the digests are in force, and no others", {
  proof_days: ["days_have_their_digest_in_turn", "digests_are_never_rewritten"],
});

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
                     encode(seal_hash, 'hex'), audit_link::text, encode(audit_hash, 'hex')] as fields
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
];
