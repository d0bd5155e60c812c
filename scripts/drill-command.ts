import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { KeptBackup } from "../server/backups/backup-names.ts";
import { type Restored, restoreBackup } from "../server/backups/restore-backup.ts";
import { backupMarks } from "../server/backups/schema.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import type { Config } from "../server/platform/config.ts";
import {
  endPostgresOf,
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../server/platform/database/embedded-postgres.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { getRow, text } from "../server/platform/database/read-rows.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openFileStore } from "../server/platform/files/open-file-store.ts";
import { openLog } from "../server/platform/log/log.ts";
import { requireSameKeys } from "../server/platform/require-same-keys.ts";
import { sql } from "../server/platform/sql.ts";
import type { Printed } from "./printed.ts";
import { readRestoreOrder, untilInterrupted, whichAreNamed } from "./restore-command.ts";
import { oneLine } from "./run-until-stopped.ts";
import { type Check, subjects } from "./verify-command.ts";

/**
 * `npm run drill`: restores the newest backup aside, verifies all that is in it, and says how much would be lost and how long it would take.
 * Where the product runs on this machine, its console shows it. Returns the exit code: 1 where anything does not hold.
 */
export async function drillCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  try {
    const order = readRestoreOrder(args, env);
    const { checks, mark, backup } = await untilInterrupted((signal) => drill(order, signal));
    for (const { claim, holds, detail } of checks) {
      printed.log(`${holds ? "ok   " : "WRONG"}  ${claim}: ${detail}`);
    }
    if (mark.isRestored) {
      const lost = Math.max(0, Math.round((mark.begun - mark.upTo.getTime()) / 1000));
      printed.log(
        `Restored: ${backup.moment} and what followed, up to ${mark.upTo.toISOString()}.`,
      );
      // Of a moment that was chosen, what came later is not lost.
      if (!order.to) printed.log(`What a lost disk would lose now (RPO): ${lost} s.`);
      printed.log(
        `Until it would run again (RTO): ${mark.seconds} s, and the time to get a machine.`,
      );
    }
    printed.log(mark.holds ? "Everything held." : "It did NOT hold.");
    // An older moment says nothing of the newest.
    if (!order.to) await note(env, { ...mark, system: backup.system }, printed);
    return mark.holds ? 0 : 1;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}

/** Restored into a folder of its own, which is gone afterwards, whatever happens. */
async function drill(order: ReturnType<typeof readRestoreOrder>, signal: AbortSignal) {
  const aside = await mkdtemp(path.join(tmpdir(), "assay-drill-"));
  const begun = Date.now();
  let opened = null as KeptBackup | null;
  const onOpened = (backup: KeptBackup) => {
    opened = backup;
  };
  try {
    const wanted = { ...order, dataDir: aside, signal, whichAreNamed, onOpened };
    const restored = await restoreBackup(wanted);
    const upTo = restored.upTo ?? new Date(restored.backup.endedAt);
    const { checks, readyAt } = await verify(aside, restored, { seal: order.seal, signal });
    const detail = restored.faults[0] ?? "no gap";
    const whole = { claim: "what is kept is whole", holds: restored.faults.length === 0, detail };
    const all = [whole, ...checks];
    const seconds = Math.ceil((readyAt - begun) / 1000);
    const holds = all.every((check) => check.holds);
    const mark = { begun, upTo, seconds, holds, isRestored: true };
    return { checks: all, backup: restored.backup, mark };
  } catch (error) {
    // A full disk or a program that is missing says nothing of the backup.
    const isOfMachine = /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "");
    if (!opened || signal.aborted || isOfMachine) throw error;
    const failed = { claim: "it can be restored", holds: false, detail: oneLine(error) };
    const upTo = new Date(opened.endedAt);
    const seconds = Math.ceil((Date.now() - begun) / 1000);
    const mark = { begun, upTo, seconds, holds: false, isRestored: false };
    return { checks: [failed], backup: opened, mark };
  } finally {
    await endPostgresOf(aside);
    await rm(aside, { recursive: true, force: true });
  }
}

/** What `npm run verify` does of the database, and whether keys and files belong to it. */
async function verify(
  dataDir: string,
  { backup, settings }: Restored,
  { seal, signal }: { seal: string | null; signal: AbortSignal },
) {
  const { BACKUP_FOLDER: _, DATABASE_URL: __, ...others } = settings;
  const config = readConfig({ ...others, DATA_DIR: dataDir });
  const postgres = await startEmbeddedPostgres(dataDir);
  const stop = () => void postgres.stop();
  // What is being asked fails then.
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await migrate(postgres.ownerUrl);
    const readyAt = Date.now();
    const db = openDatabase(postgres.applicationUrl, openLog("silent"), { connections: 2 });
    try {
      return { readyAt, checks: await verifyAll(db, config, { ...backup, ...(seal && { seal }) }) };
    } finally {
      await db.$client.end();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await postgres.stop();
  }
}

async function verifyAll(
  db: Db,
  config: Config,
  { seal, link }: Restored["backup"],
): Promise<Check[]> {
  const context = { config, printed: { log: () => {}, error: () => {} } };
  const former: string[] = [];
  return [
    ...(await subjects.ledger(db, { subject: "ledger", former, kept: kept(seal) }, context)),
    ...(await subjects.mining(db, { subject: "mining", former }, context)),
    ...(await subjects.audit(db, { subject: "audit", former, kept: kept(link) }, context)),
    ...(config.s3 ? [] : await subjects.files(db, { subject: "files", former }, context)),
    await verifyKeys(db, config),
  ];
}

/** NUMBER:HASH, as a backup says it. */
function kept(head: string | null) {
  const [number, hash] = head?.split(":") ?? [];
  return number && hash ? { number, hash } : undefined;
}

async function verifyKeys(db: Db, config: Config): Promise<Check> {
  const claim = "secrets and file store are those of the database";
  const files = openFileStore(config, openLog("silent"));
  const own = { db, config, files, log: openLog("silent"), now: () => new Date() };
  return requireSameKeys(own).then(
    () => ({ claim, holds: true, detail: "AUTH_SECRET, DOCUMENT_KEYS, files" }),
    (error: unknown) => ({ claim, holds: false, detail: oneLine(error) }),
  );
}

/** For Health and the alarms, where there is a product whose backup it is. */
async function note(
  env: NodeJS.ProcessEnv,
  { system, upTo, seconds, holds }: { system: string; upTo: Date; seconds: number; holds: boolean },
  printed: Printed,
): Promise<void> {
  const running = findRunningEmbeddedPostgres(path.resolve(env["DATA_DIR"]?.trim() || "./data"));
  if (!running) {
    printed.log("The product does not run here: its console does not show this drill.");
    return;
  }
  const db = openDatabase(running.ownerUrl, openLog("silent"), { connections: 1, as: "owner" });
  try {
    const query = sql`select system_identifier::text as system from pg_control_system()`;
    const own = await getRow(db, query, { system: text });
    if (own.system !== system) {
      printed.log("It is a backup of another database: the console here does not show this drill.");
      return;
    }
    const found = { at: new Date(), upTo, seconds, holds };
    await db
      .insert(backupMarks)
      .values({ of: "drill", ...found })
      .onConflictDoUpdate({ target: backupMarks.of, set: found });
  } finally {
    await db.$client.end();
  }
}
