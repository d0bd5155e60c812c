import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Decrypter } from "age-encryption";
import { type RestoreOrder, restoreBackup } from "../server/backups/restore-backup.ts";
import { ConfigError } from "../server/platform/config.ts";
import { openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { whichFilesAreNamed } from "../server/verify-files.ts";
import type { Printed } from "./printed.ts";
import { oneLine } from "./run-until-stopped.ts";

const usage = `Use: npm run restore -- --identity FILE [--to TIME] [--from FOLDER]
     npm run drill -- --identity FILE [--to TIME] [--from FOLDER] [--seal NUMBER:HASH]
     FILE    a private key that opens the backups, as npm run backup -- new-key made it; repeat the option for a second key
     TIME    a moment like 2026-11-30T10:15:00Z; without it, the newest
     FOLDER  where the backups are; without it, BACKUP_FOLDER
     A drill restores aside; with --seal NUMBER:HASH it compares with a seal of the ledger that you kept.
     DATA_DIR is where they are restored to. It must have no data yet.`;

/** `npm run restore`. Returns the exit code. */
export async function restoreCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  try {
    const order = readRestoreOrder(args, env);
    if (env["DATABASE_URL"]) {
      throw new ConfigError(
        "DATABASE_URL is set, and backups are of the embedded database: unset it. npm run move then takes the data there.",
      );
    }
    const dataDir = path.resolve(env["DATA_DIR"]?.trim() || "./data");
    const { backup, upTo, faults } = await untilInterrupted((signal) =>
      restoreBackup({ ...order, dataDir, signal, whichAreNamed }),
    );
    const last = upTo ?? new Date(backup.endedAt);
    printed.log(
      [
        `Restored into ${dataDir}: the backup ${backup.moment} and what followed, up to ${last.toISOString()}.`,
        `The settings that it was made with are in ${path.join(dataDir, "settings.env")}: copy what you need to .env, then start.`,
        ...faults.map((fault) => `WRONG  ${fault}`),
      ].join("\n"),
    );
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}

/** Ends what it does where a person or a supervisor ends it: what was opened and decrypted is not left. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  says = "Interrupted: nothing was changed.",
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new ConfigError(says));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const each of signals) process.on(each, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    for (const each of signals) process.off(each, interrupt);
  }
}

export async function whichAreNamed(ownerUrl: string, keys: string[]): Promise<string[]> {
  const db = openDatabase(ownerUrl, openLog("silent"), { connections: 1, as: "owner" });
  return whichFilesAreNamed(db, keys).finally(() => db.$client.end());
}

/** @throws ConfigError */
export function readRestoreOrder(
  args: string[],
  env: NodeJS.ProcessEnv,
): RestoreOrder & { seal: string | null } {
  const { identity = [], to, seal = null, from = env["BACKUP_FOLDER"]?.trim() } = readOptions(args);
  if (identity.length === 0 || !from) throw new ConfigError(usage);
  const moment = to === undefined ? null : new Date(to);
  // A time without its zone is one thing here and another there.
  if (moment && !(/(Z|[+-]\d\d:?\d\d)$/.test(to ?? "") && Number.isFinite(moment.getTime()))) {
    throw new ConfigError(`--to takes a moment with its zone, like 2026-11-30T10:15:00Z.`);
  }
  if (seal && !/^\d{1,18}:[0-9a-f]{64}$/i.test(seal)) {
    throw new ConfigError("--seal takes NUMBER:HASH, as npm run verify -- ledger printed it.");
  }
  return {
    from: path.resolve(from),
    to: moment,
    seal,
    identities: identity.flatMap(readIdentities),
  };
}

const options = {
  identity: { type: "string", multiple: true },
  to: { type: "string" },
  from: { type: "string" },
  /** Of a drill. */
  seal: { type: "string" },
} as const;

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    throw new ConfigError(usage);
  }
}

/** Lines of a file as `age-keygen` writes it: keys, and remarks behind a #. */
function readIdentities(file: string): string[] {
  const lines = readLines(file).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length > 0 && keys.every(isIdentity)) return keys;
  throw new ConfigError(`${file} must hold private keys of age, one on a line.`);
}

function isIdentity(key: string): boolean {
  try {
    new Decrypter().addIdentity(key);
    return true;
  } catch {
    return false;
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    throw new ConfigError(
      `--identity ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
