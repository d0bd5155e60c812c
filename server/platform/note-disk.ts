import { hostname } from "node:os";
import type { Config } from "./config.ts";
import type { Db } from "./database.ts";
import { readDisk } from "./read-disk.ts";
import { sql } from "./sql.ts";

/** Notes how the disk of DATA_DIR is on this machine, for whoever tells what is late: `disks`. What is a day old is forgotten. */
export async function noteDisk(
  { db, config, now }: { db: Db; config: Pick<Config, "dataDir">; now(): Date },
  read: typeof readDisk = readDisk,
): Promise<void> {
  const disk = await read(config.dataDir);
  if (!disk) return;
  const place = `${hostname()}:${config.dataDir}`;
  const at = now().toISOString();
  await db.execute(sql`
    with forgotten as (delete from disks where place <> ${place} and seen_at < ${at}::timestamptz - interval '1 day')
    insert into disks (place, short_since, seen_at) values (${place}, case when ${disk.isShort} then ${at}::timestamptz end, ${at})
    on conflict (place) do update set seen_at = excluded.seen_at,
      -- What nobody looked at for ten minutes begins anew.
      short_since = case when disks.short_since is not null and disks.seen_at > excluded.seen_at - interval '10 minutes'
                         and excluded.short_since is not null then disks.short_since else excluded.short_since end`);
}
