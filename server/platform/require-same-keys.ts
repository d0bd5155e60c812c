import { createHmac } from "node:crypto";
import { getRow, readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Db } from "./database.ts";
import { randomFileKey } from "./files/file-key.ts";
import type { FileStore } from "./files/file-store.ts";
import type { Log } from "./log/log.ts";

interface Own {
  db: Db;
  config: Pick<Config, "authSecret" | "authSecretBefore" | "documentKeys">;
  files: FileStore;
  log: Log;
  now(): Date;
}

type Kept = "auth-secret" | "document-key" | "file-store";

/**
 * Stops a process whose secrets or file store are others than those that this database's other processes have: it would seal what they
 * cannot open, and miss what they stored. The first start notes them; a rotation, which keeps the one before, is noted by the next.
 *
 * @throws ConfigError with the one line that the operator needs
 */
export async function requireSameKeys(own: Own): Promise<void> {
  const { config } = own;
  const { keys, currentId } = config.documentKeys;
  const current = fingerprint(keys.get(currentId) ?? "");
  await requireKey(own, "auth-secret", {
    current: fingerprint(config.authSecret),
    before: config.authSecretBefore === null ? [] : [fingerprint(config.authSecretBefore)],
    wrong: "AUTH_SECRET is another one than the processes of this database had so far",
  });
  await requireKey(own, "document-key", {
    current,
    before: [...keys.values()].map(fingerprint),
    wrong: "DOCUMENT_KEYS lack the key that the processes of this database had so far",
  });
  await requireFiles(own);
}

/** Notes what this process has, whatever was noted: what was before is lost. */
export async function acceptKeys(db: Db): Promise<void> {
  await db.execute(sql`delete from installation_keys`);
}

const wayOut = "Use theirs. If it is lost: npm run secret -- accept (docs/operating/keys.md).";

async function requireKey(
  { db, now }: Own,
  of: Kept,
  { current, before, wrong }: { current: string; before: string[]; wrong: string },
): Promise<void> {
  const known = await note(db, of, current, now());
  if (known === current) return;
  if (!before.includes(known)) throw new ConfigError(`${wrong}. ${wayOut}`);
  await db.execute(sql`
    update installation_keys set fingerprint = ${current}, noted_at = ${now().toISOString()}
     where of = ${of} and fingerprint = ${known}`);
}

/** By a file with a name that nobody can guess. A store that does not answer keeps nobody from starting. */
async function requireFiles({ db, files, log, now }: Own): Promise<void> {
  try {
    const [noted] = await readRows(
      db,
      sql`select fingerprint from installation_keys where of = 'file-store'`,
      { fingerprint: text },
    );
    const own = noted?.fingerprint ?? randomFileKey("canary");
    if (!noted) await files.put(own, new TextEncoder().encode("assay\n"), "text/plain");
    const known = noted ? own : await note(db, "file-store", own, now());
    if (known !== own) await files.delete(own);
    if ((await files.get(known)) !== null) return;
  } catch (error) {
    log.warn({ err: error }, "the file store could not be compared with that of other processes");
    return;
  }
  throw new ConfigError(
    `DATA_DIR or S3_ENDPOINT is another file store than the processes of this database had so far. ${wayOut}`,
  );
}

/** What was noted first. */
async function note(db: Db, of: Kept, mark: string, now: Date): Promise<string> {
  await db.execute(sql`
    insert into installation_keys (of, fingerprint, noted_at)
    values (${of}, ${mark}, ${now.toISOString()}) on conflict do nothing`);
  const { fingerprint: known } = await getRow(
    db,
    sql`select fingerprint from installation_keys where of = ${of}`,
    { fingerprint: text },
  );
  return known;
}

/** Tells two keys apart and nothing of either: they are random. */
function fingerprint(key: string | Uint8Array): string {
  return createHmac("sha256", key).update("assay installation").digest("hex");
}
