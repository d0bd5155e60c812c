import type pg from "pg";

/** Writes the first digest, of so many days ago, on nothing: the days since then are made up for at the next publication. */
export async function createFirstProofDay(owner: pg.Pool, daysAgo: number): Promise<void> {
  await owner.query(
    `insert into proof_days (day, previous_digest, digest, published_at)
     select day, previous_digest, proof_digest(first), now() from (
       select (jsonb_populate_record(null::proof_days, jsonb_build_object(
         'day', (now() at time zone 'UTC')::date - $1::int, 'previous_digest', '\\x' || repeat('00', 32)))).*) first`,
    [daysAgo],
  );
}

/** As if all seals had been made two days ago, each with the hash over its time. To be called before days are published over them. */
export async function sealedTwoDaysAgo(owner: Pick<pg.Pool, "query">): Promise<void> {
  await owner.query(`
    begin;
    select lock_fact('ledger.blocks');
    alter table ledger_seals disable trigger user;
    do $$ declare s ledger_seals; previous bytea := decode(repeat('00', 32), 'hex');
    begin
      for s in select * from ledger_seals order by number loop
        s.sealed_at := s.sealed_at - interval '2 days';
        update ledger_seals set sealed_at = s.sealed_at, previous_hash = previous, hash = sha256('\\x02'::bytea || convert_to(
          field_to_hash('assay seal 1') || field_to_hash(s.number::text) || field_to_hash(encode(previous, 'hex'))
          || field_to_hash(s.transfer_count::text) || field_to_hash(encode(s.merkle_root, 'hex'))
          || field_to_hash(moment_to_hash(s.sealed_at)), 'UTF8'))
         where number = s.number returning hash into previous;
      end loop;
    end $$;
    alter table ledger_seals enable always trigger the_ledger_is_append_only;
    commit`);
}
