import { flag, getRow, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Db } from "../database.ts";

/**
 * Remembers what a new database is begun as, and stops whoever would make another thing of it: what looks like balances
 * there may be a demo's or a test network's.
 *
 * @throws ConfigError with the one line that the operator needs
 */
export async function requireSameInstallation(
  db: Db,
  { network, demo }: Pick<Config, "network" | "demo">,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into installation (network, demo, begun_at)
    values (${network}, ${demo}, ${now.toISOString()}) on conflict do nothing`);
  const begun = await getRow(db, sql`select network, demo from installation`, {
    network: text,
    demo: flag,
  });
  if (begun.network !== network) {
    throw new ConfigError(
      `NETWORK is ${network}, but this database was begun on ${begun.network}: use another database, and another DATA_DIR.`,
    );
  }
  if (begun.demo !== demo) {
    throw new ConfigError(
      begun.demo
        ? "DEMO is 0, but this database was begun as a demo, with invented customers: use another database, and another DATA_DIR."
        : "DEMO is 1, but this database is no demo: use another database, and another DATA_DIR.",
    );
  }
}
