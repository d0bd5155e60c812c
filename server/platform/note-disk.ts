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
  const place = `${hostname()}:${config.dataDir}`.slice(-200);
  const at = now().toISOString();
  await db.execute(sql`
    with forgotten as (delete from disks where seen_at < ${at}::timestamptz - interval '1 day')
    insert into disks (place, short_since, seen_at) values (${place}, case when ${disk.isShort} then ${at}::timestamptz end, ${at})
    on conflict (place) do update set seen_at = excluded.seen_at,
      short_since = case when excluded.short_since is not null then coalesce(disks.short_since, excluded.short_since) end`);
}
