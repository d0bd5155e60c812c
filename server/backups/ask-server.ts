import type pg from "pg";

/** What PostgreSQL says of itself, to its owner. */
export interface Asked {
  /** Its major. */
  postgres: number;
  /** Its own number of the cluster, which a restored one keeps. */
  system: string;
  /** Eight digits; each restore counts a new one. */
  timeline: string;
  archives: boolean;
  /** Whether something is full and was not archived for minutes: PostgreSQL does not count each reason as a failure. */
  waits: boolean;
  /** The newest seal of the ledger and link of the audit log, as NUMBER:HASH. */
  seal: string | null;
  link: string | null;
  /** Whether this database was ever backed up. */
  known: boolean;
}

export async function askServer(owner: pg.Client): Promise<Asked> {
  const { rows } = await owner.query<Asked>(`
    select current_setting('server_version_num')::int / 10000 as postgres, system_identifier::text as system,
           left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, current_setting('archive_mode') = 'on' as archives,
           exists (select from pg_ls_archive_statusdir()
                    where name like '%.ready' and modification < now() - interval '3 minutes') as waits,
           (select number || ':' || encode(hash, 'hex') from ledger_seals order by number desc limit 1) as seal,
           (select link || ':' || encode(hash, 'hex') from audit_chain order by link desc limit 1) as link,
           exists (select from backup_marks where of = 'backup') as known
      from pg_control_system()`);
  const [asked] = rows;
  if (!asked) throw new Error("no answer");
  return asked;
}
