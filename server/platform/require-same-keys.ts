import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Db, Tx } from "./database.ts";
import { randomFileKey } from "./files/file-key.ts";
import type { FileStore } from "./files/file-store.ts";
import type { KeyRing } from "./files/key-ring.ts";
import type { Log } from "./log/log.ts";

interface Own {
  db: Db;
  config: Pick<Config, "authSecret" | "authSecretBefore" | "documentKeys">;
  files: FileStore;
  log: Log;
  now(): Date;
  /** Compares, and notes nothing: for who does not start. */
  onlyCompares?: boolean;
}

export type KeyKind = "auth-secret" | "document-key" | "file-store";

/** A store that says nothing holds a start up for no longer. */
const storeAnswersWithinMs = 5_000;

/**
 * Stops a process whose secrets or file store are others than those that this database's other processes have: it would seal what they
 * cannot open, and miss what they stored. The first start notes them; a new AUTH_SECRET that comes with the one before is noted in
 * its place, and of document keys each that was ever the current one, until nothing is wrapped under it.
 *
 * @throws ConfigError with the one line that the operator needs
 */
export async function requireSameKeys(own: Own): Promise<void> {
  await requireSecret(own);
  await requireDocumentKeys(own);
  await requireFiles(own);
}

/** Forgets what was noted, since it is lost: the next start notes its own. */
export async function acceptKey(db: Db, of: KeyKind): Promise<void> {
  await db.execute(sql`delete from installation_keys where of = ${of}`);
}

/** Nothing is wrapped under older document keys any more. */
export async function forgetOlderDocumentKeys(db: Db, ring: KeyRing): Promise<void> {
  await db.execute(sql`
    delete from installation_keys where of = 'document-key' and fingerprint <> ${currentOf(ring)}`);
}

async function requireSecret({ db, config, now, onlyCompares }: Own): Promise<void> {
  const { authSecret, authSecretBefore } = config;
  const current = fingerprint(authSecret);
  const [known = current] = onlyCompares
    ? await listNoted(db, "auth-secret")
    : await note(db, "auth-secret", current, now());
  if (known === current) return;
  if (!authSecretBefore || known !== fingerprint(authSecretBefore)) {
    throw new ConfigError(
      "AUTH_SECRET is another one than the processes of this database had so far. Use theirs, or if it was rotated since a backup, give the older one as AUTH_SECRET_BEFORE. If theirs is lost: npm run secret -- accept-secret (docs/operating/keys.md).",
    );
  }
  if (onlyCompares) return;
  await db.execute(sql`
    update installation_keys set fingerprint = ${current}, noted_at = ${now().toISOString()}
     where of = 'auth-secret' and fingerprint = ${known}`);
}

async function requireDocumentKeys({ db, config, now, onlyCompares }: Own): Promise<void> {
  const { documentKeys } = config;
  const own = [...documentKeys.keys.values()].map(fingerprint);
  const isWhole = await db.transaction(async (tx) => {
    // Of two that start at once with keys of their own, one is first.
    await tx.execute(sql`select lock_fact('installation keys')`);
    const known = await listNoted(tx, "document-key");
    if (!known.every((each) => own.includes(each))) return false;
    if (!onlyCompares) await note(tx, "document-key", currentOf(documentKeys), now());
    return true;
  });
  if (isWhole) return;
  throw new ConfigError(
    "DOCUMENT_KEYS lack a key that the processes of this database have: put it among them. If it is lost: npm run secret -- accept-documents (docs/operating/keys.md).",
  );
}

/** By a file with a name that nobody can guess. A store that does not answer keeps nobody from starting. */
async function requireFiles({ db, files, log, now, onlyCompares }: Own): Promise<void> {
  const [noted] = await listNoted(db, "file-store");
  if (onlyCompares && !noted) return;
  const own = noted ?? randomFileKey("canary");
  const ask = async () => {
    if (!noted) await files.put(own, new TextEncoder().encode("assay\n"), "text/plain");
    return (await files.get(own)) !== null;
  };
  const silence = wait(storeAnswersWithinMs, null, { ref: false }).then(() => {
    throw new Error("the file store does not answer");
  });
  const isThere = await Promise.race([ask(), silence]).catch((error: unknown) => {
    log.warn({ err: error }, "the file store could not be compared with that of other processes");
    return null;
  });
  if (isThere === null) return;
  // Of two that start at once, one has noted its own: the other's is there as well, or the stores are two.
  const [known] = noted ? [noted] : await note(db, "file-store", own, now());
  if (isThere && (known === own || (await files.get(known ?? "").catch(() => true)))) return;
  throw new ConfigError(
    "DATA_DIR or S3_ENDPOINT is another file store than the processes of this database had so far. Is it mounted? If its files are lost: npm run secret -- accept-files (docs/operating/keys.md).",
  );
}

/** Notes it unless there is one of its kind, of document keys unless it is there; what there is then. */
async function note(db: Db | Tx, of: KeyKind, mark: string, now: Date): Promise<string[]> {
  await db.execute(sql`
    insert into installation_keys (of, fingerprint, noted_at)
    values (${of}, ${mark}, ${now.toISOString()}) on conflict do nothing`);
  return listNoted(db, of);
}

async function listNoted(db: Db | Tx, of: KeyKind): Promise<string[]> {
  const rows = await readRows(db, sql`select fingerprint from installation_keys where of = ${of}`, {
    fingerprint: text,
  });
  return rows.map(({ fingerprint: known }) => known);
}

function currentOf({ keys, currentId }: KeyRing): string {
  return fingerprint(keys.get(currentId) ?? "");
}

/** Tells two keys apart and nothing of either: they are random. */
function fingerprint(key: string | Uint8Array): string {
  return createHmac("sha256", key).update("assay installation").digest("hex");
}
