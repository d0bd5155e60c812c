-- The newest of each: a backup; the WAL since, when all of it was kept; a drill, which restored a backup and verified what was in it; and when
-- backups were begun. The backups themselves say more, and are elsewhere.
create table backup_marks (
  of text collate "C" primary key constraint marks_are_of_a_known_kind check (of in ('backup', 'wal', 'drill', 'begun')), at ledger_time not null,
  -- Of a drill: up to when the backup reached, how long restoring took, and whether everything held.
  up_to ledger_time, seconds integer, holds boolean, constraint drills_say_what_they_found
    check (of <> 'drill' or num_nulls(up_to, seconds, holds) = 0)
);
